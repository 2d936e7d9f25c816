// The starting point of a test: its own companies with items, customers and stock. Created through the server's code instead of HTTP where
// the API has no method for it. Long because every kind of record that a test starts from is created here.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { z } from 'zod'
import { createCompany } from '../../access/companies.ts'
import { hashPassword } from '../../access/passwords.ts'
import { beginSession } from '../../access/sessions.ts'
import { configureCompany } from '../../access/settings/edit.ts'
import { emailHash, insertSignIns, insertUser } from '../../access/users.ts'
import { emptyItem } from '../../catalog/item.ts'
import { insertItem } from '../../catalog/store.ts'
import { type Contact, customer, wholeContact } from '../../contacts/contact.ts'
import { insertParty } from '../../contacts/party.ts'
import type { RequestContext, TransactionContext } from '../../kernel/clock.ts'
import { type Role, type Written, write } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { methodPath, screensPrefix } from '../../platform/http/paths.ts'
import { type Database, openDatabase } from '../../platform/postgres/database.ts'
import { runWrite } from '../../platform/requests/run.ts'
import { shipPart } from '../../sales/orders/ship_part.ts'
import { type Reply, sendUntilAccepted } from './app.ts'
import { databaseUrl, query } from './database.ts'
import { type Receipt, receiptMethod } from './receipt.ts'

export type Company = {
  readonly id: number
  readonly key: string
  readonly productsStorageId: number
  readonly materialsStorageId: number
  readonly call: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
}

export type User = {
  readonly id: number
  readonly email: string
  /** The headers that a browser of this user would send. */
  readonly cookie: string
  readonly call: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
}

export type SettingsGiven = {
  name?: string
  timezone?: string
  default_sale_status?: number
  materials_in_sales?: boolean
  default_fulfillment?: string
  show_payment_status?: boolean
  daily_limit?: number
  number_prefix?: string
  storage_limit_mib?: number | 'default'
  request_log_days?: number
}

type ItemGiven = {
  sku?: string
  name?: string
  alt_skus?: string[]
  unit_id?: number
  price?: string
  /** The component of a product: one of this item. */
  made_of?: number
}
type ItemMade = { readonly id: number; readonly sku: string; readonly name: string }

let database: Database | undefined
export const pool = () => {
  database ??= openDatabase(databaseUrl(), { connections: 8, streams: 1, waitMs: 60_000 })
  return database.pool
}

/** Closes the connections; idle ones must not keep the process alive. */
export async function closeGiven(): Promise<void> {
  const opened = database
  database = undefined
  await opened?.pool.end()
}

// A test file ends when its tests end. Other processes, which have no tests, close it themselves.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) after(closeGiven)

const caller = (companyId: number): RequestContext => ({
  companyId,
  connectionId: null,
  userId: null,
  requestId: `test_${randomUUID()}`,
  source: 'system',
})

const nothing = statement<object, { readonly company_id: number }>(
  'given.nothing',
  'select 1 from company_clock where company_id = :company_id',
)

/** A write by the test itself, in the company's order and with its event, like every other write. */
async function writeAs<T>(
  company: { readonly id: number },
  record: string,
  plan: (transaction: TransactionContext) => { result: T; id: number; statements: Written['statements'] },
): Promise<T> {
  const method = write({
    path: `given/${record}`,
    api: 'app',
    summary: 'Given by a test.',
    input: { schema: z.object({}), read: () => ({}) },
    output: z.object({}),
    refusals: [],
    example: { request: {}, response: {} },
    facts: (_input: object, call) => nothing({ company_id: call.companyId }),
    plan: (_input, _facts, transaction) => plan(transaction),
    write: (made) => ({
      statements: made.statements,
      event: { record, recordId: made.id, change: {}, action: 'created' },
    }),
    response: (made) => ({ result: made.result }),
  })
  const { body } = await runWrite(pool(), method, {}, caller(company.id), undefined, undefined)
  return JSON.parse(body).result as T
}

let counter = 0
const unique = (word: string): string => `${word}-${++counter}`

async function item(
  company: { readonly id: number },
  kind: 'product' | 'material',
  given: ItemGiven,
): Promise<ItemMade> {
  const sku = given.sku ?? unique(kind.toUpperCase())
  const name = given.name ?? `Some ${kind} ${sku}`
  return await writeAs(company, kind, (transaction) => {
    const id = transaction.ids.next('item_id')
    const made = {
      ...emptyItem,
      name,
      sku,
      alt_skus: given.alt_skus ?? [],
      unit_id: given.unit_id ?? 1,
      price: given.price ?? '0',
      components: given.made_of === undefined ? [] : [{ item_id: given.made_of, amount: '1' }],
    }
    return { result: { id, sku, name }, id, statements: insertItem(id, kind, made, transaction) }
  })
}

type Named = { readonly company_id: number; readonly id: number; readonly name: string }
const insertUnit = statement<never, Named>(
  'given.insert_unit',
  'insert into units (company_id, id, name) values (:company_id, :id, :name)',
)
const insertStorage = statement<never, Named>(
  'given.insert_storage',
  'insert into storages (company_id, id, name) values (:company_id, :id, :name)',
)

export const given = {
  async company({ name = unique('Company'), timezone = 'UTC', ...settings }: SettingsGiven = {}): Promise<Company> {
    const made = await createCompany(pool(), name, timezone)
    if (Object.keys(settings).length > 0) {
      const input = configureCompany.input.read(settings)
      await runWrite(pool(), configureCompany, input, caller(made.company_id), undefined, undefined)
    }
    return {
      id: made.company_id,
      key: made.api_key,
      productsStorageId: made.products_storage_id,
      materialsStorageId: made.materials_storage_id,
      call: (path, body = {}, headers = {}) =>
        sendUntilAccepted(methodPath(path), {
          headers: { authorization: made.api_key, 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
    }
  },

  /** The same company, called through another API connection. */
  async otherConnection(company: Company): Promise<Company & { readonly connectionId: number }> {
    const owner = await given.user(company, 'owner')
    const { connection_id: connectionId, api_key: key } = (
      await owner.call('connections/add', { name: 'Another shop' })
    ).body
    const call: Company['call'] = (path, body, headers) => company.call(path, body, { authorization: key, ...headers })
    return { ...company, key, connectionId, call }
  },

  /** A signed-in user of the company, whose calls use the app API. */
  async user(
    company: { readonly id: number },
    role: Role = 'owner',
    password?: string,
    email = `${role}-${randomUUID()}@example.com`,
  ): Promise<User> {
    const passwordHash = password === undefined ? 'none' : await hashPassword(password)
    const id = await writeAs(company, 'user', (transaction) => {
      const userId = transaction.ids.next('user_id')
      const statements = [
        insertUser({
          company_id: company.id,
          user_id: userId,
          name: `Some ${role}`,
          email,
          role,
          password_hash: passwordHash,
          created_at: transaction.at,
        }),
        ...insertSignIns({ company_id: company.id, email_hash: emailHash(email), user_id: userId }),
      ]
      return { result: userId, id: userId, statements }
    })
    const cookie = `__Host-kontor_session=${await beginSession(pool(), company.id, id)}`
    return {
      id,
      email,
      cookie,
      call: (path, body = {}, headers = {}) =>
        sendUntilAccepted(screensPrefix + path, {
          headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
    }
  },

  product: (company: { readonly id: number }, one: ItemGiven = {}) => item(company, 'product', one),
  material: (company: { readonly id: number }, one: ItemGiven = {}) => item(company, 'material', one),

  async unit(company: { readonly id: number }, name: string): Promise<{ id: number }> {
    return await writeAs(company, 'unit', (transaction) => {
      const id = transaction.ids.next('unit_id')
      return { result: { id }, id, statements: [insertUnit({ company_id: company.id, id, name })] }
    })
  },

  async storage(company: { readonly id: number }, name: string): Promise<{ id: number }> {
    return await writeAs(company, 'storage', (transaction) => {
      const id = transaction.ids.next('storage_id')
      return { result: { id }, id, statements: [insertStorage({ company_id: company.id, id, name })] }
    })
  },

  async customer(
    company: { readonly id: number },
    { name = unique('Customer'), ...contact }: { name?: string } & Partial<Contact> = {},
  ): Promise<{ id: number; name: string }> {
    return await writeAs(company, 'customer', (transaction) => {
      const id = transaction.ids.next('customer_id')
      return {
        result: { id, name },
        id,
        statements: insertParty(customer, { id, created: { name, contact: wholeContact(contact) } }, transaction),
      }
    })
  },

  async deleted(company: { readonly id: number }, what: 'customer' | 'storage' | 'item', id: number): Promise<void> {
    await query(company.id, `update ${what}s set deleted_at = now() where company_id = $1 and id = $2`, [
      company.id,
      id,
    ])
    if (what === 'item')
      await query(company.id, 'delete from item_codes where company_id = $1 and item_id = $2', [company.id, id])
  },

  /** A receipt through the ledger. */
  async stock(company: Company, receipt: Omit<Receipt, 'storage'> & { storage?: number }): Promise<void> {
    const method = receiptMethod({ storage: company.productsStorageId, ...receipt })
    await runWrite(pool(), method, {}, caller(company.id), undefined, undefined)
  },

  /** Ships part of a sale: "Ship part" in the screens. */
  async shippedPart(
    company: { readonly id: number },
    orderId: number,
    part: { date: string; items: readonly { id: number; amount: string }[] },
  ): Promise<void> {
    const input = shipPart.input.read({ order_id: orderId, date: part.date, lines: part.items })
    await runWrite(pool(), shipPart, input, caller(company.id), undefined, undefined)
  },

  async productionStatus(company: { readonly id: number }, num: string, status: 0 | 1 | 3 | 4): Promise<void> {
    const rows = await query(
      company.id,
      'update productions set status = $3 where company_id = $1 and num = $2 returning id',
      [company.id, num, status],
    )
    assert.equal(rows.length, 1, `there is a production ${num}`)
  },

  /** Gives products a component, so that sales can order them. */
  async made(company: { readonly id: number }, ...products: readonly number[]): Promise<void> {
    const { id: material } = await given.material(company, {})
    for (const product of products)
      await query(
        company.id,
        'insert into components (company_id, product_id, position, item_id, amount) values ($1, $2, 0, $3, 1)',
        [company.id, product, material],
      )
  },

  /** A sale created over HTTP, with missing fields filled in. */
  async sale(company: Company, body: Record<string, unknown> = {}): Promise<number> {
    const lines = body['products'] ?? body['materials']
    const products = lines === undefined ? [{ id: (await given.product(company)).id, amount: 1, total: 10 }] : undefined
    if (products !== undefined && (body['production'] === 1 || body['production'] === true))
      await given.made(company, ...products.map(({ id }) => id))
    const customer = body['customer_id'] ?? body['customer_name'] ?? undefined
    const reply = await company.call('orders/add', {
      num: unique(''),
      ...(products === undefined ? {} : { products }),
      ...(customer === undefined ? { customer_name: 'Some customer' } : {}),
      ...body,
    })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.order_id
  },
}
