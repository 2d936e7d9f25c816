// Companies whose data makes single requests expensive: long chains of components, large catalogs, long texts, a sale with many shipments. The first is
// made, the others are copies of its rows.

import { query } from '../../server/test/harness/database.ts'
import { type Company, given } from '../../server/test/harness/given.ts'
import { makeKeys } from '../disconnect/credentials.ts'
import type { Service } from '../scratch-service.ts'

export type Works = {
  readonly companyId: number
  readonly key: string
  readonly cookie: string
  /** The key of a connection that may call only the methods of units, and of one that has expired. */
  readonly narrowKey: string
  readonly expiredKey: string
  /** Keys that no request has used yet, each of a connection of its own. */
  readonly newKeys: readonly string[]
  readonly made: Made
}

/** The ids of the records; they are the same in each of the companies. */
type Made = {
  /** The first of a chain of products, each made of very many of the next. */
  readonly chainTop: number
  /** Each contains all products of its first level, which contain all of its second. */
  readonly root: number
  readonly otherRoot: number
  /** A sale with as many items as possible, shipped in several parts. */
  readonly shippedSale: number
  /** A customer with the longest possible texts, and many sales, each of which shows them. */
  readonly longCustomer: number
}

const chain = 800
/** Products on each level below a root. */
const width = 300
const shippedItems = 5_000
const shipments = 2
const longNotes = 40
const salesOfLongest = 120
const longest = 65_535
const newKeys = 100

export async function makeWorks(service: Service, count: number): Promise<Works[]> {
  if (count === 0) return []
  const first = await given.company({ daily_limit: 1_000_000_000 })
  const made = await makeRecords(first)
  const works = [await armedWith(service, first, made)]
  while (works.length < count) works.push(await armedWith(service, await copied(service, first), made))
  await service.sql('analyze')
  return works
}

async function armedWith(service: Service, company: Company, made: Made): Promise<Works> {
  const owner = await given.user(company, 'owner')
  const connected = async (scope: object): Promise<string> =>
    (await owner.call('connections/add', { name: 'Shop', ...scope })).body.api_key
  return {
    companyId: company.id,
    key: company.key,
    cookie: owner.cookie,
    narrowKey: await connected({ sections: ['units'] }),
    expiredKey: await connected({ expires_on: '2020-01-01' }),
    newKeys: await makeKeys(service, company.id, newKeys),
    made,
  }
}

async function makeRecords(company: Company): Promise<Made> {
  const chainTop = await loadItems(company, 'product', 'CHAIN', chain)
  const [root, otherRoot] = [await loadLevels(company, 'ROOT'), await loadLevels(company, 'OTHER')]
  const links = `select ${chainTop} + n, ${chainTop} + n + 1, 100000000, 0 from generate_series(0, ${chain - 2}) n`
  await loadComponents(company, links)
  const customer = await given.customer(company, { name: 'Mallory' })
  const sale = { customer_id: customer.id, products: [{ id: chainTop, amount: 1, total: 1 }] }
  const notes = 'a'.repeat(longest)
  for (let n = 0; n < longNotes; n++) await given.sale(company, { ...sale, num: `N-${n}`, notes })
  const longCustomer = await makeLongCustomer(company, sale)
  return { chainTop, root, otherRoot, longCustomer, shippedSale: await makeShippedSale(company) }
}

async function makeLongCustomer(company: Company, sale: object): Promise<number> {
  const text = 'x'.repeat(longest)
  const texts = ['email', 'phone', 'address_real', 'address_legal', 'agreement', 'manager_post', 'notes']
  const contact = Object.fromEntries(texts.map((name) => [name, text]))
  const { id } = await given.customer(company, { name: 'Longest', ...contact })
  for (let n = 0; n < salesOfLongest; n++) await given.sale(company, { ...sale, num: `L-${n}`, customer_id: id })
  return id
}

async function makeShippedSale(company: Company): Promise<number> {
  const from = await loadItems(company, 'product', 'SHIPPED', shippedItems)
  const products = Array.from({ length: shippedItems }, (_, n) => ({ id: from + n, amount: 2 * shipments, total: 1 }))
  const sale = await given.sale(company, { num: 'SHIPPED', customer_name: 'Mallory', products })
  // Without their movements of stock, which take minutes and which an edit does not read.
  await query(
    company.id,
    `insert into sale_shipments (company_id, sale_id, shipment, item_id, amount, date)
     select $1, $2, p, $3::bigint + n, 1, date '2024-03-01' + p from generate_series(1, ${shipments}) p cross join generate_series(0, ${shippedItems - 1}) n`,
    [company.id, sale, from],
  )
  await query(company.id, 'update sales set status = 2 where company_id = $1 and id = $2', [company.id, sale])
  return sale
}

/** A root with two levels below it; the products of the second are made of a material. */
async function loadLevels(company: Company, sku: string): Promise<number> {
  const material = await loadItems(company, 'material', `${sku}-M`, 1)
  const [root, upper, lower] = [
    await loadItems(company, 'product', sku, 1),
    await loadItems(company, 'product', `${sku}-A`, width),
    await loadItems(company, 'product', `${sku}-B`, width),
  ]
  const each = `generate_series(0, ${width - 1})`
  await loadComponents(company, `select ${root}, ${upper} + a, 1, a from ${each} a`)
  await loadComponents(company, `select ${upper} + a, ${lower} + b, 1, b from ${each} a cross join ${each} b`)
  await loadComponents(company, `select ${lower} + b, ${material}, 1, 0 from ${each} b`)
  return root
}

const loadComponents = (company: Company, rows: string): Promise<unknown> =>
  query(
    company.id,
    `insert into components (company_id, product_id, item_id, amount, position) select ${company.id}, x.* from (${rows}) x`,
  )

/** Returns the id of the first; the ids of the others follow it. */
async function loadItems(company: Company, kind: string, sku: string, count: number): Promise<number> {
  const [row] = await query(
    company.id,
    `with clock as (update company_clock set last_item_id = last_item_id + $2::bigint where company_id = $1 returning last_item_id - $2::bigint as last),
     made as (
       insert into items (company_id, id, kind, name, name_key, sku, codes, unit_id, price, min_amount, notes)
       select $1, c.last + n, $3, $4 || n, $4 || n, $4 || '-' || n, e'\\x1f' || $4 || '-' || n, 1, 1, 0, '' from clock c cross join generate_series(1, $2::bigint) n),
     coded as (
       insert into item_codes (company_id, space, code, item_id, role, position)
       select $1, $3, $4 || '-' || n, c.last + n, 'sku', 0 from clock c cross join generate_series(1, $2::bigint) n)
     select (last + 1)::int as first from clock`,
    [company.id, count, kind, sku],
  )
  return row.first
}

/** What a company has for itself; everything else is copied. */
const own = [
  'companies',
  'daily_usage',
  'api_keys',
  'api_connections',
  'quotas',
  'users',
  'sessions',
  'sign_ins',
  'further_sign_ins',
  'sign_in_attempts',
  'devices',
  'invitations',
  'idempotency_keys',
  'events',
  'request_log',
  'request_log_gaps',
]

async function copied({ sql }: Service, { id: from }: Company): Promise<Company> {
  const company = await given.company({ daily_limit: 1_000_000_000 })
  const tables: { name: string; columns: string }[] = await sql(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attname <> 'company_id'
       and exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'company_id') and c.relname <> all ($1::text[])
     group by c.relname`,
    [own],
  )
  const copies = tables.map(
    ({ name, columns }) =>
      `delete from ${name} where company_id = ${company.id}; insert into ${name} (company_id, ${columns}) select ${company.id}, ${columns} from ${name} where company_id = ${from}`,
  )
  // Every row refers to a row that is copied as well; a superuser can skip the checks.
  await sql(`begin; set local session_replication_role = replica; ${copies.join('; ')}; commit`)
  return company
}
