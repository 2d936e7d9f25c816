// The addresses of documents as PDF.

/** How many labels are on a sheet. */
export const labelSheets = { 'a4-3x8': 24, 'a4-3x7': 21, 'letter-3x10': 30, 'letter-2x5': 10, 'roll-62': 1 } as const
export type SheetName = keyof typeof labelSheets
export const maxLabels = 1_000

type Parameters = Readonly<Record<string, string>>

export type Printable = { readonly label: string } & (
  | { readonly kind: 'quote' | 'packing-slip' | 'job-sheet'; readonly parameters: Parameters }
  // Those that can be sent by mail.
  | { readonly kind: 'order-confirmation' | 'purchase-order'; readonly id: number }
  | { readonly kind: 'labels'; readonly items: readonly number[] }
)

export type LabelChoice = {
  readonly count: number
  readonly sheet: SheetName
  readonly code: 'auto' | 'code128' | 'qr'
  /** The first position of the sheet that is not used yet. */
  readonly first: number
}

export const parametersOf = (items: readonly number[], { count, sheet, code, first }: LabelChoice): Parameters => ({
  items: items.map((id) => `${id}x${count}`).join(','),
  sheet,
  ...(code === 'auto' ? {} : { code }),
  ...(first === 1 ? {} : { first: String(first) }),
})

export const printAddress = (kind: Printable['kind'], parameters: Parameters): string =>
  `/screens/documents/${kind}?${new URLSearchParams(parameters)}`
