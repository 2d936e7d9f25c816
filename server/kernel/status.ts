// A set of statuses as data: codes in requests and responses, names in code, labels and colours in the screens. There is one
// table per set; checks, descriptions and the tables of the screens are generated from it.

export type Status = {
  /** The value in requests, responses and the database. */
  readonly code: number
  readonly label: string
  readonly colour: 'grey' | 'blue' | 'yellow' | 'green' | 'struck'
  /** The effect of a document with this status on stock. */
  readonly stock: 'none' | 'reserves' | 'moves part' | 'moves'
  /** False for a status that only results from something else, such as a partial shipment. Any settable status may follow any other. */
  readonly isSettable: boolean
}

export type StatusTable = Readonly<Record<string, Status>>

/** The codes by name: `saleStatus.shipped`. */
export function codesOf<const T extends StatusTable>(table: T): { readonly [Name in keyof T]: T[Name]['code'] } {
  const codes = Object.entries(table).map(([name, { code }]) => [name, code])
  return Object.fromEntries(codes) as { readonly [Name in keyof T]: T[Name]['code'] }
}

/** SQL: a list of codes, as in `status in (0, 1)`. */
export const sqlCodes = (...codes: readonly number[]): string => codes.join(', ')

const rows = (table: StatusTable): Status[] => Object.values(table).toSorted((one, other) => one.code - other.code)

export const allCodes = (table: StatusTable): readonly number[] => rows(table).map(({ code }) => code)

export const settableCodes = (table: StatusTable): readonly number[] =>
  rows(table).flatMap(({ code, isSettable }) => (isSettable ? [code] : []))

const described = (statuses: readonly Status[]): string =>
  `${statuses.map(({ code, label }) => `${code} ${label}`).join(', ')}.`

/** For the reference: `0 New, 1 Packed, …`. */
export const describeStatuses = (table: StatusTable): string => described(rows(table))

export const describeSettable = (table: StatusTable): string =>
  described(rows(table).filter(({ isSettable }) => isSettable))

/** Whether a document with this status has moved goods. */
export const movesGoods = (table: StatusTable, code: number): boolean =>
  rows(table).some((status) => status.code === code && (status.stock === 'moves' || status.stock === 'moves part'))
