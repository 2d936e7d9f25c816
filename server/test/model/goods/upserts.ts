// The model's upserts: how each record of a request is matched, and what it changes for the records after it.

import { type Item, open, type Planned, type State } from './state.ts'
import type { UpsertRecord, UpsertStep } from './steps.ts'

const keyOf = (state: State, by: 0 | 1, kind: string, external: string): string =>
  `${state.fault === 'connections share their external ids' ? 0 : by} ${kind} ${external}`

type Result = { readonly result: string; readonly id?: number; readonly error?: string }

/** The external id that a connection gave to an item. */
const ownExternal = (state: State, by: 0 | 1, kind: string, id: number): string | undefined => {
  const prefix = keyOf(state, by, kind, '')
  return [...state.external].find(([key, item]) => item === id && key.startsWith(prefix))?.[0].slice(prefix.length)
}

export function modelUpsert(before: State, { upsert: section, records }: UpsertStep, by: 0 | 1): Planned {
  const state = structuredClone(before)
  const kind = section === 'products' ? 'product' : 'material'
  const places = new Map<number, number>()
  const results = records.map((record, at) => upsertOne(state, kind, record, at, by, places))
  const sent = records.map(({ external, sku, name }) => ({
    name,
    ...(external === undefined ? {} : { external_id: external }),
    ...(sku === undefined ? {} : { sku }),
  }))
  return { path: `${section}/upsert`, body: { [section]: sent }, expected: { [section]: results }, state }
}

function upsertOne(
  state: State,
  kind: Item['kind'],
  { external, sku, name }: UpsertRecord,
  at: number,
  by: 0 | 1,
  places: Map<number, number>,
): Result {
  const refused = (error: string): Result => ({ result: 'refused', error })
  const ofKind = state.items.filter((item) => item.kind === kind)
  const byExternal = external === undefined ? undefined : state.external.get(keyOf(state, by, kind, external))
  const bySku = sku === undefined ? undefined : ofKind.find((item) => item.sku === sku)
  if (byExternal === undefined && bySku !== undefined && external !== undefined) {
    const own = ownExternal(state, by, kind, bySku.id)
    if (own !== undefined && own !== external) return refused(`SKU belongs to external id "${own}"`)
  }
  const id = byExternal ?? bySku?.id
  const earlier = id === undefined ? undefined : places.get(id)
  if (earlier !== undefined) return refused(`Record ${at} is the same ${kind} as record ${earlier}`)
  if (bySku !== undefined && bySku.id !== id) return refused(`SKU "${sku}" is already used`)
  const found = state.items.find((item) => item.id === id)
  const item = found ?? {
    id: Math.max(...state.items.map((one) => one.id)) + 1,
    kind,
    sku: '',
    name: '',
    components: [],
    labour: 0n,
    price: 0n,
  }
  if (found === undefined) {
    if (state.items.length > 40) open('too many items')
    state.items.push(item)
  }
  const isRenamed = (sku !== undefined && sku !== item.sku) || name !== item.name
  if (sku !== undefined && (state.fault !== 'an upsert does not free the old SKU' || item.sku === '')) item.sku = sku
  item.name = name
  const takes = external !== undefined && byExternal === undefined
  if (takes) state.external.set(keyOf(state, by, kind, external), item.id)
  places.set(item.id, at)
  return { result: found === undefined ? 'created' : isRenamed || takes ? 'updated' : 'unchanged', id: item.id }
}
