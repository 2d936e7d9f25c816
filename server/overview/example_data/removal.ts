// Which records of the example data may be removed: those that nobody has changed or used since. Pure.

export type Created = { readonly record: string; readonly id: number; readonly is_touched: boolean }
/** A record that uses another one: a document its items, contacts and sale, a product its components, an item its supplier. */
export type Use = readonly [record: string, id: number, usedRecord: string, usedId: number]

const documents: readonly string[] = ['sale', 'purchase', 'production', 'writeoff', 'transfer', 'audit']

export const keyOf = (record: string, id: number): string => `${record} ${id}`

/**
 * The keys of the records that stay: what was changed, what others use, and whatever these need. The stock of an item that stays comes from
 * documents, which therefore stay with it.
 */
export function stayingOf(created: readonly Created[], uses: readonly Use[]): ReadonlySet<string> {
  const own = new Set(created.map(({ record, id }) => keyOf(record, id)))
  const needs = new Map<string, string[]>()
  const need = (one: string, other: string): void => {
    const list = needs.get(one) ?? []
    needs.set(one, list)
    list.push(other)
  }
  const staying = new Set<string>()
  const open: string[] = []
  const stay = (key: string): void => {
    if (!own.has(key) || staying.has(key)) return
    staying.add(key)
    open.push(key)
  }
  for (const [record, id, usedRecord, usedId] of uses) {
    const [user, used] = [keyOf(record, id), keyOf(usedRecord, usedId)]
    if (!own.has(user)) continue
    need(user, used)
    if (documents.includes(record) && ['product', 'material'].includes(usedRecord)) need(used, user)
  }
  for (const one of created) if (one.is_touched) stay(keyOf(one.record, one.id))
  for (const [record, id, usedRecord, usedId] of uses) if (!own.has(keyOf(record, id))) stay(keyOf(usedRecord, usedId))
  for (let key = open.pop(); key !== undefined; key = open.pop()) for (const other of needs.get(key) ?? []) stay(other)
  return staying
}
