// Consistency checks of a company's stock, as read over HTTP. Every check returns its findings as text; none when everything
// is consistent.

import { days } from './steps.ts'
import { idFields, listed, must, type Section, sections, type World } from './world.ts'

export type Movement = {
  readonly id: number
  readonly date: string
  readonly type: 'products' | 'materials'
  readonly item_id: number
  readonly storage_id: number
  readonly change: number
  readonly balance_after: number
}
type LevelRow = {
  id: number
  storage_id: number
  amount: number
  reserved: number
  available: number
  in_transit: number
  total_cost: number
}

/** Quantities as whole thousandths, by item and storage location. Zeros are left out. */
export type Levels = Map<string, number>

const thousandths = (quantity: number): number => Math.round(quantity * 1000)
const keyOf = (item: number, storage: number): string => `item ${item} at storage ${storage}`

function addTo(levels: Levels, key: string, change: number): void {
  const sum = (levels.get(key) ?? 0) + change
  if (sum === 0) levels.delete(key)
  else levels.set(key, sum)
}

export async function readMovements(world: World): Promise<Movement[]> {
  const { movements, total } = await must(world, 'stock/get_movements', {})
  const rows = movements as Movement[]
  if (rows.length !== total) throw new Error(`get_movements gives ${rows.length} rows and a total of ${total}`)
  return rows
}

export async function readLevels(
  world: World,
  date?: string,
): Promise<{ amounts: Levels; reserved: Levels; transit: Levels; worth: number }> {
  const { stock } = await must(world, 'stock/get_list', date === undefined ? {} : { date })
  const amounts: Levels = new Map()
  const reserved: Levels = new Map()
  const transit: Levels = new Map()
  let worth = 0
  for (const row of stock as LevelRow[]) {
    const key = keyOf(row.id, row.storage_id)
    addTo(amounts, key, thousandths(row.amount))
    addTo(reserved, key, thousandths(row.reserved))
    addTo(transit, key, thousandths(row.in_transit))
    worth += Math.abs(row.total_cost)
    if (thousandths(row.available) !== thousandths(row.amount) - thousandths(row.reserved))
      throw new Error(`${key}: available is not amount less reserved`)
  }
  return { amounts, reserved, transit, worth }
}

/** The sum of the movements, of all of them or up to the end of a day. */
export function replayed(movements: readonly Movement[], date?: string): Levels {
  const levels: Levels = new Map()
  for (const one of movements) {
    if (date === undefined || one.date <= date)
      addTo(levels, keyOf(one.item_id, one.storage_id), thousandths(one.change))
  }
  return levels
}

export function differences(what: string, shown: Levels, expected: Levels): string[] {
  return [...new Set([...shown.keys(), ...expected.keys()])]
    .filter((key) => shown.get(key) !== expected.get(key))
    .map((key) => `${what}: ${key} is ${shown.get(key) ?? 0} thousandths and should be ${expected.get(key) ?? 0}`)
}

/** The movements, oldest first, add up to every balance that they show. */
export function wrongBalances(movements: readonly Movement[]): string[] {
  const levels: Levels = new Map()
  const wrong: string[] = []
  for (const one of movements.toReversed()) {
    const key = keyOf(one.item_id, one.storage_id)
    addTo(levels, key, thousandths(one.change))
    if ((levels.get(key) ?? 0) !== thousandths(one.balance_after))
      wrong.push(
        `movement ${one.id}: balance_after of ${key} is ${one.balance_after}, the replay gives ${levels.get(key) ?? 0} thousandths`,
      )
  }
  return wrong
}

const dayBeside = (date: string, by: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10)

/** The days with movements, the day before each and the day after each. */
export function daysAround(movements: readonly Movement[]): string[] {
  const around = [...new Set(movements.map((one) => one.date))].flatMap((date) => [
    dayBeside(date, -1),
    date,
    dayBeside(date, 1),
  ])
  return [...new Set(around)].toSorted()
}

/** The level on each of the days is the sum of the movements up to it. */
export async function wrongDays(
  world: World,
  movements: readonly Movement[],
  dates: readonly string[],
): Promise<string[]> {
  const wrong: string[] = []
  for (const date of dates) {
    const { amounts } = await readLevels(world, date)
    wrong.push(...differences(`the level of ${date}`, amounts, replayed(movements, date)))
  }
  return wrong
}

type Line = { id: number; amount: number; difference: number; cost: number }
type Part = { readonly lines: readonly { readonly id: number; readonly amount: number }[] }
export type ReadDocument = {
  readonly section: Section
  readonly id: number
  readonly fields: Record<string, number | undefined>
  readonly products: readonly Line[]
  readonly materials: readonly Line[]
  readonly resources: readonly Line[]
  /** The processed part of a document that is partly completed. */
  readonly parts: readonly Part[]
}

/** Every document that is not deleted, read one by one. */
export async function readDocuments(world: World): Promise<ReadDocument[]> {
  const found: ReadDocument[] = []
  for (const section of sections) {
    const field = idFields[section]
    for (const { id } of await listed(world, section)) {
      const answer = await must(world, `${section}/get_entry`, { [field]: id })
      const entry = answer[field.replace('_id', '')] as Omit<ReadDocument, 'section' | 'id' | 'fields' | 'parts'>
      const { products, materials, resources = [] } = entry
      const fields = entry as object as ReadDocument['fields']
      const parts = await readParts(world, section, id, fields['status'])
      found.push({ section, id, fields, products, materials, resources, parts })
    }
  }
  return found
}

const halfWay = 2

async function readParts(
  world: World,
  section: Section,
  id: number,
  status: number | undefined,
): Promise<readonly Part[]> {
  if ((section !== 'orders' && section !== 'purchases') || status !== halfWay) return []
  const card = await must(world, `${section}/get_card`, { [idFields[section]]: id })
  return card[section === 'orders' ? 'shipments' : 'receipts'] as Part[]
}

/** Number of lines and cost, compared with the lines shown. The cost of a production is that of its materials, rounded once, and so is the cost of a sale:
 * it may differ by half a cent from each row. What of the total of a purchase is in the cost of no line is its adjustment. */
export function wrongSums({ section, id, fields, products, materials, resources }: ReadDocument): string[] {
  const own = section === 'productions' ? products : [...products, ...materials]
  const costly = section === 'productions' ? [...materials, ...resources] : own
  const cents = (money: number): number => Math.round(money * 100)
  const cost = costly.reduce((sum, line) => sum + cents(line.cost), 0)
  const wrong: string[] = []
  if (fields['lines'] !== own.length)
    wrong.push(`${section} ${id} shows ${fields['lines']} lines and has ${own.length}`)
  const isRoundedOnce = section === 'productions' || section === 'orders'
  const between = isRoundedOnce ? (costly.length + 1) / 2 : 0
  if (Math.abs(cents(fields['cost'] ?? 0) - cost) > between)
    wrong.push(`${section} ${id} shows a cost of ${fields['cost']} and lines that cost ${cost / 100}`)
  const { total = 0, adjustment = 0 } = fields
  if (section === 'purchases' && cents(total) !== cost + cents(adjustment))
    wrong.push(
      `${section} ${id} shows a total of ${total}, lines that cost ${cost / 100} and an adjustment of ${adjustment}`,
    )
  return wrong
}

/** What the documents have moved and reserve, computed here from their states alone and from which items are products. */
function documented(
  documents: readonly ReadDocument[],
  isProduct: (item: number) => boolean,
): { amounts: Levels; reserved: Levels; transit: Levels } {
  const amounts: Levels = new Map()
  const reserved: Levels = new Map()
  const transit: Levels = new Map()
  const move = (
    to: Levels,
    lines: readonly Line[],
    storage: number | undefined,
    sign: 1 | -1,
    field: 'amount' | 'difference' = 'amount',
  ) => {
    for (const line of lines) addTo(to, keyOf(line.id, storage ?? 0), sign * thousandths(line[field]))
  }
  for (const { section, fields, products, materials, parts } of documents) {
    const { status, products_storage_id: ofProducts, materials_storage_id: ofMaterials } = fields
    const all = [...products, ...materials]
    const placed = (to: Levels, sign: 1 | -1) => {
      move(to, products, ofProducts, sign)
      move(to, materials, ofMaterials, sign)
    }
    if (status === halfWay) {
      const made = new Set(products.map(({ id }) => id))
      for (const { id, amount } of parts.flatMap(({ lines }) => lines)) {
        const key = keyOf(id, (made.has(id) ? ofProducts : ofMaterials) ?? 0)
        addTo(amounts, key, (section === 'orders' ? -1 : 1) * thousandths(amount))
        if (section === 'orders') addTo(reserved, key, -thousandths(amount))
      }
    }
    if (section === 'orders' && (status === 0 || status === 1 || status === halfWay)) placed(reserved, 1)
    if ((section === 'orders' && status === 3) || section === 'writeoffs') placed(amounts, -1)
    if (section === 'purchases' && status === 3) placed(amounts, 1)
    if (section === 'productions' && status === 3) {
      move(amounts, products, ofProducts, 1)
      for (const line of materials) move(amounts, [line], isProduct(line.id) ? ofProducts : ofMaterials, -1)
    }
    if (section === 'transfers' && (status === 1 || status === 3)) move(amounts, all, fields['storage_from_id'], -1)
    if (section === 'transfers' && status === 1) move(transit, all, fields['storage_to_id'], 1)
    if (section === 'transfers' && status === 3) move(amounts, all, fields['storage_to_id'], 1)
    if (section === 'audits' && status === 3) move(amounts, all, fields['storage_id'], 1, 'difference')
  }
  return { amounts, reserved, transit }
}

/** All consistency checks of the stock responses, on a few of the days. */
export async function unexplained(world: World): Promise<string[]> {
  const movements = await readMovements(world)
  const now = await readLevels(world)
  const products = new Set(movements.filter(({ type }) => type === 'products').map((one) => one.item_id))
  const documents = documented(await readDocuments(world), (item) => products.has(item))
  return [
    ...differences('the ledger, replayed', replayed(movements), now.amounts),
    ...wrongBalances(movements),
    ...differences('the level', now.amounts, documents.amounts),
    ...differences('reserved', now.reserved, documents.reserved),
    ...differences('in transit', now.transit, documents.transit),
    ...(await wrongDays(world, movements, days.slice(2, 4))),
  ]
}
