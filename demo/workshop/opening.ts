// The workshop on its first day: its users, settings, connections, catalog and contacts. Records that are later found by code have their ids here.

import { z } from 'zod'
import { emailHash, insertSignIns, insertUser } from '../../server/access/users.ts'
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

/** The first two are created with the company. */
export const storages = { goods: 1, materials: 2, showroom: 3 } as const

export type Workshop = {
  /** Ids of products, materials and resources by their codes. */
  readonly ids: ReadonlyMap<string, number>
  readonly supplierIds: ReadonlyMap<string, number>
  readonly customers: readonly (Customer & { readonly id: number })[]
  /** The key of the web shop's connection. */
  readonly apiKey: string
}

const nothing = statement<object, { readonly company_id: number }>(
  'demo.nothing',
  'select seq from company_clock where company_id = :company_id',
)

/** An invitation and its acceptance in one step: an invitation expires within a week. */
const hire = write({
  path: 'invitations/accept',
  api: 'app',
  summary: 'Become a user.',
  input: {
    schema: z.object({}),
    read: (): Person => refuse('Not callable through an API', { code: 'not_for_requests' }),
  },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  facts: (_input, context) => nothing({ company_id: context.companyId }),
  plan: (person: Person, _facts: object, transaction) => ({ ...person, id: transaction.ids.next('user_id') }),
  write: ({ id, name, email, role, passwordHash }, { context: { companyId }, at }) => ({
    statements: [
      insertUser({
        company_id: companyId,
        user_id: id,
        name,
        email,
        role,
        password_hash: passwordHash,
        created_at: at,
      }),
      ...insertSignIns({ company_id: companyId, email_hash: emailHash(email), user_id: id }),
    ],
    event: { record: 'user', recordId: id, change: { name, email, role } },
  }),
  response: () => ({}),
})

/** How records are added, and the ids that they got. */
type Setup = {
  readonly add: (section: string, field: string, body: object) => Promise<number>
  readonly usage: ReadonlyMap<string, number>
  readonly unitIds: Map<string, number>
  readonly categoryIds: Map<string, number>
  readonly supplierIds: Map<string, number>
  /** Of products, materials and resources, by their codes. */
  readonly ids: Map<string, number>
}

export async function openWorkshop(
  books: Books,
  at: string,
  staff: readonly Person[],
  usage: ReadonlyMap<string, number>,
  dice: Dice,
): Promise<Workshop> {
  const setup: Setup = {
    add: async (section, field, body) => Number((await books.act(owner, at, `${section}/add`, body))[field]),
    usage,
    unitIds: new Map([['pcs', 1]]),
    categoryIds: new Map(),
    supplierIds: new Map(),
    ids: new Map(),
  }
  const { add, unitIds, supplierIds, ids } = setup
  for (const person of staff) await books.enter(hire, person, at)
  await books.act(owner, at, 'settings/edit', { currency: 'EUR', materials_in_sales: 1 })
  await books.act(owner, at, 'connections/edit', { connection_id: 1, name: 'Web shop', number_prefix: 'W-' })
  const { api_key: apiKey } = await books.act(owner, at, 'keys/roll', { connection_id: 1, overlap_hours: 0 })
  await books.act(owner, at, 'connections/add', { name: 'Marketplace', number_prefix: 'MP-' })
  await add('storages', 'storage_id', { name: 'Showroom', address: 'Marktplatz 3, 38100 Braunschweig' })
  for (const [name, full] of units) unitIds.set(name, await add('units', 'unit_id', { name, full_name: full }))
  for (const { code, days, ...contact } of suppliers) {
    const notes = `Delivers in about ${days} days.`
    supplierIds.set(code, await add('suppliers', 'supplier_id', { ...contact, notes }))
  }
  await addMaterials(setup)
  await addResources(setup)
  await addProducts(setup)
  const customers: (Customer & { id: number })[] = []
  for (const customer of customersOf(dice, 120)) {
    const { isCompany: _isCompany, weight: _weight, ...contact } = customer
    customers.push({ ...customer, id: await add('customers', 'customer_id', contact) })
  }
  return { ids, supplierIds, customers, apiKey: String(apiKey) }
}

/** The id of a category, which is added on first use. */
async function categoryOf({ add, categoryIds }: Setup, type: string, name: string, above = ''): Promise<number[]> {
  const known = categoryIds.get(`${type} ${name}`)
  if (known !== undefined) return [known]
  const parent = above === '' ? {} : { parent_id: categoryIds.get(`${type} ${above}`) }
  const id = await add('categories', 'category_id', { name, type, position: categoryIds.size, ...parent })
  categoryIds.set(`${type} ${name}`, id)
  return [id]
}

async function addMaterials(setup: Setup): Promise<void> {
  const { add, usage, unitIds, supplierIds, ids } = setup
  for (const { code, supplier, unit, category, ...item } of materials) {
    const body = {
      ...item,
      unit_id: unitIds.get(unit),
      categories: await categoryOf(setup, 'materials', category),
      suppliers: [{ supplier_id: supplierIds.get(supplier), sku: `${supplier}-${item.sku}`, price: item.price }],
      // A good week's consumption should always be in stock.
      min_amount: rounded((usage.get(code) ?? 0) * 1.2),
    }
    ids.set(code, await add('materials', 'material_id', body))
  }
}

async function addResources(setup: Setup): Promise<void> {
  for (const { code, category, ...resource } of resources) {
    const categories = await categoryOf(setup, 'resources', category)
    const body = { ...resource, unit_id: setup.unitIds.get('h'), categories }
    setup.ids.set(code, await setup.add('resources', 'resource_id', body))
  }
}

async function addProducts(setup: Setup): Promise<void> {
  const { add, usage, ids } = setup
  for (const [name, above] of productCategories) await categoryOf(setup, 'products', name, above)
  for (const product of partsFirst) {
    const { code, recipe, category, weekly } = product
    const body = {
      name: product.name,
      sku: product.sku,
      price: product.price,
      alt_skus: weekly > 2 ? [product.sku.replaceAll('-', '')] : [],
      barcodes: product.price > 0 ? [barcode(ids.size)] : [],
      categories: await categoryOf(setup, 'products', category),
      min_amount: Math.ceil((usage.get(code) ?? 0) * 0.5),
      components: recipe.map(([component, amount]) => ({ type: typeOf(component), id: ids.get(component), amount })),
    }
    ids.set(code, await add('products', 'product_id', body))
  }
}

function typeOf(code: string): string {
  if (products.some((product) => product.code === code)) return 'product'
  return resources.some((resource) => resource.code === code) ? 'resource' : 'material'
}

const rounded = (amount: number): number => (amount < 3 ? Math.ceil(amount * 10) / 10 : Math.ceil(amount))

/** Components come before the products they go into. */
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
