// The workshop on its first morning: its people, settings, connections, catalog and contacts. What is later asked for by code has its id here.

import { z } from 'zod'
import { emailHash, insertSignIn, insertUser } from '../../server/access/users.ts'
import { type Role, write } from '../../server/kernel/method.ts'
import { refuse } from '../../server/kernel/refusal.ts'
import { statement } from '../../server/kernel/statement.ts'
import type { Dice } from '../random.ts'
import type { Books, Hand } from './books.ts'
import { materials, resources, suppliers, units } from './materials.ts'
import { type Customer, customersOf } from './people.ts'
import { type Product, productCategories, products } from './products.ts'

export type Person = {
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly passwordHash: string
}

export const owner: Hand = { userId: 1 }
export const manager: Hand = { userId: 2 }
export const worker: Hand = { userId: 3 }
export const shop: Hand = { connectionId: 1 }
export const marketplace: Hand = { connectionId: 2 }

/** The first two come with the company. */
export const storages = { goods: 1, materials: 2, showroom: 3 } as const

export type Workshop = {
  /** Ids of products, materials and resources by their codes. */
  readonly ids: ReadonlyMap<string, number>
  readonly supplierIds: ReadonlyMap<string, number>
  readonly customers: readonly (Customer & { readonly id: number })[]
  /** The key of the web shop's connection. */
  readonly apiKey: string
}

const nothing = statement<object>('demo.nothing', 'select seq from company_clock where company_id = $1')

/** An invitation and its acceptance in one: both would have to be of this week. */
const hire = write({
  path: 'invitations/accept',
  door: 'screens',
  summary: 'Become a user.',
  input: { wire: z.object({}), read: (): Person => refuse('Not through a door') },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  facts: (_input, call) => nothing(call.companyId),
  plan: (person: Person, _facts: object, moment) => ({ ...person, id: moment.ids.next('user_id') }),
  write: ({ id, name, email, role, passwordHash }, { call: { companyId }, at }) => ({
    statements: [
      insertUser(companyId, id, name, email, role, passwordHash, at),
      insertSignIn(companyId, emailHash(email), id),
    ],
    event: { record: 'user', recordId: id, change: { name, email, role } },
  }),
  answer: () => ({}),
})

export async function openWorkshop(
  books: Books,
  at: string,
  staff: readonly Person[],
  usage: ReadonlyMap<string, number>,
  dice: Dice,
): Promise<Workshop> {
  const add = async (section: string, field: string, body: object): Promise<number> =>
    Number((await books.act(owner, at, `${section}/add`, body))[field])

  for (const person of staff) await books.enter(hire, person, at)
  await books.act(owner, at, 'settings/edit', { currency: 'EUR', materials_in_sales: 1 })
  await books.act(owner, at, 'connections/edit', { connection_id: 1, name: 'Web shop', number_prefix: 'W-' })
  const { api_key: apiKey } = await books.act(owner, at, 'keys/roll', { connection_id: 1, overlap_hours: 0 })
  await books.act(owner, at, 'connections/add', { name: 'Marketplace', number_prefix: 'MP-' })
  await add('storages', 'storage_id', { name: 'Showroom', address: 'Marktplatz 3, 38100 Braunschweig' })

  const unitIds = new Map<string, number>([['pcs', 1]])
  for (const [name, full] of units) unitIds.set(name, await add('units', 'unit_id', { name, full_name: full }))
  const categories = new Map<string, number>()
  const category = async (type: string, name: string, above = ''): Promise<number[]> => {
    const known = categories.get(`${type} ${name}`)
    if (known !== undefined) return [known]
    const parent = above === '' ? {} : { parent_id: categories.get(`${type} ${above}`) }
    const id = await add('categories', 'category_id', { name, type, position: categories.size, ...parent })
    categories.set(`${type} ${name}`, id)
    return [id]
  }
  const supplierIds = new Map<string, number>()
  for (const { code, days, ...contact } of suppliers) {
    const notes = `Delivers in about ${days} days.`
    supplierIds.set(code, await add('suppliers', 'supplier_id', { ...contact, notes }))
  }

  const ids = new Map<string, number>()
  for (const { code, supplier, unit, category: of, ...item } of materials) {
    const suppliersOf = [{ supplier_id: supplierIds.get(supplier), sku: `${supplier}-${item.sku}`, price: item.price }]
    const body = {
      ...item,
      unit_id: unitIds.get(unit),
      categories: await category('materials', of),
      suppliers: suppliersOf,
    }
    // A good week's use should always lie there.
    ids.set(code, await add('materials', 'material_id', { ...body, min_amount: rounded((usage.get(code) ?? 0) * 1.2) }))
  }
  for (const { code, category: of, ...resource } of resources) {
    const body = { ...resource, unit_id: unitIds.get('h'), categories: await category('resources', of) }
    ids.set(code, await add('resources', 'resource_id', body))
  }
  for (const [name, above] of productCategories) await category('products', name, above)
  const typeOf = (code: string): string => {
    if (products.some((product) => product.code === code)) return 'product'
    return resources.some((resource) => resource.code === code) ? 'resource' : 'material'
  }
  for (const product of partsFirst) {
    const { code, recipe, category: of, weekly } = product
    const body = {
      name: product.name,
      sku: product.sku,
      price: product.price,
      alt_skus: weekly > 2 ? [product.sku.replaceAll('-', '')] : [],
      barcodes: product.price > 0 ? [barcode(ids.size)] : [],
      categories: await category('products', of),
      min_amount: Math.ceil((usage.get(code) ?? 0) * 0.5),
      components: recipe.map(([component, amount]) => ({ type: typeOf(component), id: ids.get(component), amount })),
    }
    ids.set(code, await add('products', 'product_id', body))
  }
  const customers: (Customer & { id: number })[] = []
  for (const customer of customersOf(dice, 120)) {
    const { isCompany: _isCompany, weight: _weight, ...contact } = customer
    customers.push({ ...customer, id: await add('customers', 'customer_id', contact) })
  }
  return { ids, supplierIds, customers, apiKey: String(apiKey) }
}

const rounded = (amount: number): number => (amount < 3 ? Math.ceil(amount * 10) / 10 : Math.ceil(amount))

/** What goes into others comes before them. */
const partsFirst: readonly Product[] = products.toSorted((one, other) => depth(one) - depth(other))

function depth({ recipe }: Product): number {
  const parts = products.filter(({ code }) => recipe.some(([component]) => component === code))
  return parts.length === 0 ? 0 : 1 + Math.max(...parts.map(depth))
}

/** An EAN-13 with its check digit. */
function barcode(number: number): string {
  const digits = `40${String(12_345_000_00 + number * 37).padStart(10, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return digits + String((10 - (sum % 10)) % 10)
}
