// What a request about a document looks up by name. A facts statement does the look-ups that its requests need, and no others: PostgreSQL
// prepares every subselect of a statement for each execution, even one that has nothing to look up, which was an eighth of the cost of a sale.

import type { PartyInput } from '../contacts/party.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { LineInput } from './lines.ts'

export type LookUps = {
  /** `ids`: items are named only by id; `codes`: by id or SKU; `any`: also by external id; `none`: no items are named. */
  readonly items: 'any' | 'codes' | 'ids' | 'none'
  readonly storages: boolean
  /** `named`: by id or name; `any`: also by external id. */
  readonly party: 'any' | 'named' | 'id' | 'name' | 'none'
}

/** Everything that is not named by an external id. */
export const usualLookUps: LookUps = { items: 'codes', storages: true, party: 'named' }
/** Separate, so that requests without external ids do not pay for them. */
const allLookUps: NamedLookUps[number] = ['.external', { items: 'any', storages: true, party: 'any' }]

/** Look-ups with the suffix of the names of their statements. The first has none. */
type NamedLookUps = readonly (readonly [suffix: string, LookUps])[]

/** A new document always names items, and its party if it has one. */
export const lookUpsOfNew = (hasParty: boolean): NamedLookUps => [
  ...(['ids', 'codes'] as const).flatMap((items) =>
    (hasParty ? (['id', 'name'] as const) : (['none'] as const)).flatMap((party) =>
      [false, true].map((storages): NamedLookUps[number] => [
        `${items === 'codes' ? '.codes' : ''}${party === 'name' ? '.name' : ''}${storages ? '.storages' : ''}`,
        { items, party, storages },
      ]),
    ),
  ),
  allLookUps,
]

/** Most changes of a document name nothing else, or only items. */
export const lookUpsOfPresent: NamedLookUps = [
  ['', { items: 'none', storages: false, party: 'none' }],
  ['.items', { items: 'codes', storages: false, party: 'none' }],
  ['.all', usualLookUps],
  allLookUps,
]

/** A document that may order a production. */
export const lookUpsOfMaking: NamedLookUps = [['', usualLookUps], allLookUps]

/** Declares a statement for each of the look-ups. The result selects the first one that does all look-ups of a request. */
export function declareByLookUps<Row, Values extends object>(
  name: string,
  named: NamedLookUps,
  sqlOf: (lookUps: LookUps) => string,
): (needed: LookUps) => (values: Values) => Statement<Row> {
  const declared = named.map(([suffix, lookUps]) => ({
    lookUps,
    facts: statement<Row, Values>(name + suffix, sqlOf(lookUps), suffix === '' ? undefined : name),
  }))
  return (needed) => {
    const fitting = declared.find(({ lookUps }) => covers(lookUps, needed))
    if (fitting === undefined) throw new Error(`no statement ${name} looks up ${JSON.stringify(needed)}`)
    return fitting.facts
  }
}

const covers = (lookUps: LookUps, needed: LookUps): boolean =>
  (lookUps.items === 'any' ||
    (lookUps.items === 'codes' && needed.items !== 'any') ||
    isSame(lookUps, needed, 'items')) &&
  (lookUps.party === 'any' ||
    (lookUps.party === 'named' && needed.party !== 'any') ||
    isSame(lookUps, needed, 'party')) &&
  (lookUps.storages || !needed.storages)

const isSame = (lookUps: LookUps, needed: LookUps, what: 'items' | 'party'): boolean =>
  needed[what] === 'none' || lookUps[what] === needed[what]

/** What a request names. */
type Named = {
  readonly lines?: readonly LineInput[] | undefined
  readonly storages?: readonly (number | undefined)[]
  readonly party?: PartyInput | undefined
}

export function lookUpsOf({ lines = [], storages = [], party }: Named): LookUps {
  return {
    items: itemLookUp(lines),
    storages: storages.some((one) => one !== undefined),
    party: party === undefined ? 'none' : 'id' in party ? 'id' : 'externalId' in party ? 'any' : 'name',
  }
}

function itemLookUp(lines: readonly LineInput[]): LookUps['items'] {
  if (lines.some(({ named }) => 'externalId' in named)) return 'any'
  if (lines.some(({ named }) => 'sku' in named)) return 'codes'
  return lines.length > 0 ? 'ids' : 'none'
}
