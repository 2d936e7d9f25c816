// Erases a person: a customer, a supplier or a user. Their record keeps its id, so that documents, the ledger and the history stay complete, and loses
// everything that identifies the person; copies are removed wherever they can be found. The erasure itself is an event without personal data.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { contactFields } from '../contacts/contact.ts'
import type { TransactionContext } from '../kernel/clock.ts'
import { foldedText } from '../kernel/folded-text.ts'
import type { RelatedEvent } from '../kernel/method.ts'
import { nameKey } from '../kernel/natural.ts'
import { eraseCopies } from './erasure-copies.ts'
import { type ChangedRows, everything, type Since } from './erasure-pages.ts'
import { eraseTestCompany } from './erasure-test-company.ts'
import { erased, hasPhoneDigits, mapStrings, Traces } from './erasure-text.ts'
import { inCompany } from './owner.ts'
import { writeWithEvents } from './write-with-events.ts'

export type PersonKind = 'customer' | 'supplier' | 'user'

type Rules = {
  readonly table: string
  /** Every column and event field with personal data. */
  readonly fields: readonly string[]
  /** Columns that are searched for elsewhere, and whether a value identifies somebody: a city or "none" does not. */
  readonly identifying: Readonly<Record<string, (text: string) => boolean>>
  /** The columns of the record after the erasure. */
  readonly after: Readonly<Record<string, string>>
}

const always = (): boolean => true
const isEmail = (text: string): boolean => text.includes('@')
/** Also a VAT number. */
const isAddress = (text: string): boolean => text.length >= 8 && /\d/.test(text)

/** Only customers have a reason why they are charged no tax. */
const reasonOf = (table: string): readonly string[] => (table === 'customers' ? ['tax_reason'] : [])

const contactRules = (table: string): Rules => ({
  table,
  fields: ['name', ...contactFields, 'country', 'vat_number', ...reasonOf(table), 'external_id'],
  identifying: {
    name: always,
    email: isEmail,
    phone: hasPhoneDigits,
    manager_name: always,
    address_real: isAddress,
    address_legal: isAddress,
    vat_number: isAddress,
  },
  after: {
    name: erased,
    name_key: nameKey(erased),
    folded_name: foldedText(erased),
    ...Object.fromEntries([...contactFields, 'country', 'vat_number', ...reasonOf(table)].map((field) => [field, ''])),
  },
})

const rulesOf: Readonly<Record<PersonKind, Rules>> = {
  customer: contactRules('customers'),
  supplier: contactRules('suppliers'),
  user: {
    table: 'users',
    fields: ['name', 'email'],
    identifying: { name: always, email: isEmail },
    after: { name: erased, email: erased, password_hash: '' },
  },
}

export type Person = { readonly kind: PersonKind; readonly id: number }
/** The name of the person; `undefined` when there is no such record. */
export async function findPerson(
  client: pg.Client,
  companyId: number,
  { kind, id }: Person,
): Promise<string | undefined> {
  return await inCompany(client, companyId, async () => {
    const { rows } = await client.query<{ name: string }>(
      `select name from ${rulesOf[kind].table} where company_id = $1 and id = $2`,
      [companyId, id],
    )
    return rows[0]?.name
  })
}

export class CannotErase extends Error {}

/** `more` are further texts to search for: another spelling of the name, an address. Returns the number of changed rows by table. */
export async function erasePerson(
  client: pg.Client,
  companyId: number,
  person: Person,
  more: readonly string[],
): Promise<ChangedRows> {
  const changed: ChangedRows = {}
  if (person.kind === 'user') await refuseLastOwner(client, companyId, person.id)
  const { texts, since } = await textsOf(client, companyId, person)
  const traces = new Traces([...texts, ...more])
  // The record itself comes last: until then, an interrupted erasure can be run again and still knows what to search for.
  const search = { client, companyId, traces, changed, own: person }
  await eraseCopies({ ...search, since: everything })
  await eraseRecord(client, companyId, person, changed)
  // What was written meanwhile, including rows of the request log that were not written yet.
  await sleep(lateRowsMs)
  await eraseCopies({ ...search, since })
  await eraseTestCompany(client, companyId, changed)
  return changed
}

const lateRowsMs = 1_000

async function refuseLastOwner(client: pg.Client, companyId: number, userId: number): Promise<void> {
  const { rows } = await inCompany(client, companyId, () =>
    client.query<{ is_last: boolean }>(
      `select u.role = 'owner' and u.deleted_at is null and not exists (
         select from users o where o.company_id = $1 and o.id <> $2 and o.role = 'owner' and o.deleted_at is null) as is_last
       from users u where u.company_id = $1 and u.id = $2`,
      [companyId, userId],
    ),
  )
  if (rows[0]?.is_last === true) throw new CannotErase('The company needs an owner: make another user an owner first')
}

/** What identifies the person now, and what did before according to the history. */
async function textsOf(
  client: pg.Client,
  companyId: number,
  { kind, id }: Person,
): Promise<{ texts: string[]; since: Since }> {
  const { table, identifying } = rulesOf[kind]
  const fields = Object.entries(identifying)
  const texts: string[] = []
  return await inCompany(client, companyId, async () => {
    const clock = await client.query<{ seq: string; at: string }>(
      'select seq, now()::text as at from company_clock where company_id = $1',
      [companyId],
    )
    const record = await client.query(
      `select ${Object.keys(identifying).join(', ')} from ${table} where company_id = $1 and id = $2`,
      [companyId, id],
    )
    const events = await client.query<{ change: object }>(
      'select change from events where company_id = $1 and record = $2 and record_id = $3',
      [companyId, kind, id],
    )
    const external = await client.query<{ external_id: string }>(
      'select external_id from external_ids where company_id = $1 and record = $2 and record_id = $3',
      [companyId, kind, id],
    )
    for (const address of kind === 'customer' ? await addressesOf(client, companyId, id) : [])
      if (isAddress(address)) texts.push(address)
    for (const value of [...record.rows, ...external.rows, ...events.rows.map(({ change }) => change)])
      for (const [field, identifies] of [...fields, ['external_id', isEmail] as const])
        mapStrings(value, [field], (text) => {
          if (identifies(text)) texts.push(text)
          return text
        })
    return { texts, since: { seq: Number(clock.rows[0]?.seq ?? 0), at: clock.rows[0]?.at ?? everything.at } }
  })
}

/** The addresses of the customer's sales, which may be others than those of the customer. */
async function addressesOf(client: pg.Client, companyId: number, customerId: number): Promise<string[]> {
  const { rows } = await client.query<{ address: string }>(
    `select distinct a.address from sales s cross join lateral (values (s.billing_address), (s.delivery_address)) a (address)
     where s.company_id = $1 and s.customer_id = $2 and a.address <> ''`,
    [companyId, customerId],
  )
  return rows.map(({ address }) => address)
}

/** The record and its own events, in one write of the company. */
async function eraseRecord(client: pg.Client, companyId: number, person: Person, changed: ChangedRows): Promise<void> {
  const { kind, id } = person
  const { table, fields, after } = rulesOf[kind]
  const add = (name: string, { rowCount }: pg.QueryResult): void => {
    if ((rowCount ?? 0) > 0) changed[name] = (changed[name] ?? 0) + (rowCount ?? 0)
  }
  const erase = async ({ at }: TransactionContext): Promise<RelatedEvent[]> => {
    if (kind === 'user') await endAccess(client, companyId, id, add)
    const columns = Object.entries(after)
    const isContact = kind !== 'user'
    add(
      table,
      await client.query(
        `update ${table} set ${columns.map(([name], position) => `${name} = $${position + 4}`).join(', ')}, deleted_at = coalesce(deleted_at, $3)${isContact ? ', updated_at = $3' : ''}
         where company_id = $1 and id = $2`,
        [companyId, id, at, ...columns.map(([, value]) => value)],
      ),
    )
    // Other systems may use an address or a name as the id.
    const ofRecord = 'where company_id = $1 and record = $2 and record_id = $3'
    add('external_ids', await client.query(`delete from external_ids ${ofRecord}`, [companyId, kind, id]))
    const own = await client.query<{ seq: string; change: object }>(`select seq, change from events ${ofRecord}`, [
      companyId,
      kind,
      id,
    ])
    for (const { seq, change } of own.rows) {
      const overwritten = mapStrings(change, fields, (text) => (text === '' ? '' : erased))
      add(
        'events',
        await client.query('update events set change = $3 where company_id = $1 and seq = $2', [
          companyId,
          seq,
          JSON.stringify(overwritten),
        ]),
      )
    }
    return [{ record: kind, recordId: id, change: { erased: true }, action: 'deleted' }]
  }
  await inCompany(client, companyId, () => writeWithEvents(client, companyId, `${table}/erase`, erase))
}

/** An erased user cannot sign in. Invitations to the same email are personal data too. */
async function endAccess(
  client: pg.Client,
  companyId: number,
  userId: number,
  add: (table: string, result: pg.QueryResult) => void,
): Promise<void> {
  add(
    'invitations',
    await client.query(
      `delete from invitations i using users u
       where i.company_id = $1 and u.company_id = $1 and u.id = $2 and lower(i.email) = lower(u.email)`,
      [companyId, userId],
    ),
  )
  for (const table of [
    'sessions',
    'pending_sign_ins',
    'passkeys',
    'authenticators',
    'recovery_codes',
    'devices',
    'provider_identities',
    'sign_ins',
    'further_sign_ins',
  ])
    add(table, await client.query(`delete from ${table} where company_id = $1 and user_id = $2`, [companyId, userId]))
}
