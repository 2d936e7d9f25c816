// A company that has rows in every table, for tests of commands that read or delete all of them.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { makeWorld } from '../contract/world.ts'
import { query } from './database.ts'
import { base64, png } from './files.ts'
import { type Company, given, type User } from './given.ts'
import { until } from './until.ts'

export type FullCompany = { readonly company: Company; readonly owner: User }

const exempt = { tax_treatment: 'exempt', tax_reason: 'Museum' }

export async function fullCompany(): Promise<FullCompany> {
  const { company, values } = await makeWorld(`FULL${randomUUID().slice(0, 6)}`)
  const owner = await given.user(company)
  const call = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const reply = await owner.call(path, body)
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    return reply.body
  }
  const of = (name: string) => values.get(name)
  const lines = [{ id: of('product_id'), amount: 3, total: 30 }]
  await call('products/add', {
    name: randomUUID(),
    sku: randomUUID(),
    barcodes: [randomUUID()],
    categories: [of('parent_id')],
    suppliers: [{ supplier_id: of('supplier_id'), sku: 'S', price: 1 }],
    tax_rate_id: of('tax_rate_id'),
  })
  await call('customers/add', { name: randomUUID(), external_id: randomUUID(), ...exempt })
  await call('categories/add', { name: 'Leaf', type: 'products', parent_id: of('parent_id') })
  const sale = { num: randomUUID(), customer_id: of('customer_id'), products: lines }
  const { order_id } = await call('orders/add', { ...sale, production: 1 })
  await call('productions/update_status', { production_id: await productionOf(company, Number(order_id)), status: 3 })
  const skipped = { sku: randomUUID(), amount: 1, total: 1 }
  const parts = await call('orders/add', { ...sale, num: randomUUID(), products: [...lines, skipped] })
  await call('orders/ship_part', { order_id: parts['order_id'], lines: [{ id: of('product_id'), amount: 1 }] })
  const { purchase_id } = await call('purchases/add', {
    supplier_id: of('supplier_id'),
    products: [...lines, skipped],
  })
  await call('purchases/receive_part', { purchase_id, lines: [{ id: of('product_id'), amount: 1 }] })
  await call('users/invite', { email: `${randomUUID()}@oak.example`, role: 'worker' })
  await addAccess(company, owner)
  const kept = await company.call('units/add', { name: randomUUID() }, { 'idempotency-key': randomUUID() })
  assert.equal(kept.status, 200, kept.text)
  await query(
    company.id,
    `insert into request_log_gaps (company_id, first_at, first_request_id, last_at, requests, reason) values ($1, now(), 'x', now(), 1, 'full')`,
    [company.id],
  )
  await call('webhooks/add', { url: 'https://shop.example/', enabled: 0 })
  await addDeliveries(company)
  const picture = { content: base64(png(2, 2)), thumbnail: base64(png(1, 1)) }
  await call('files/add', { record: 'item', record_id: of('product_id'), picture: 1, name: 'P', ...picture })
  await call('company/edit_details', { legal_name: randomUUID() })
  await call('company/set_logo', { content: base64(png(2, 2)) })
  const { import_id } = await call('imports/add', { kind: 'customers', name: 'customers.csv' })
  await call('imports/add_rows', {
    import_id,
    kind: 'customers',
    position: 0,
    rows: [{ line: 2, fields: { name: randomUUID() } }],
  })
  // A day without a partition of its own.
  await query(
    company.id,
    `insert into request_log (company_id, at, request_id, method, status, duration_ms, request, answer)
     values ($1, '2020-01-01T00:00:00Z', 'old', 'units/add', 200, 1, '{}', '{}')`,
    [company.id],
  )
  // Requests are logged after their response; the one above was not counted.
  const unlogged = `select q.used + 1 - (select count(*) from request_log r where r.company_id = $1) as rows from quotas q where q.company_id = $1`
  await until(async () => (await query(company.id, unlogged, [company.id]))[0].rows === '0')
  return { company, owner }
}

/** What the sender of webhooks writes. */
async function addDeliveries(company: Company): Promise<void> {
  await query(
    company.id,
    `insert into webhook_parked (company_id, webhook_id, seq, next_at, created_at) values ($1, 1, 1, now(), now())`,
    [company.id],
  )
  await query(
    company.id,
    `insert into webhook_deliveries (company_id, webhook_id, number, seq, type, attempt, at, duration_ms, response)
     values ($1, 1, 1, 1, 'storage.created', 1, now(), 1, '')`,
    [company.id],
  )
}

/** Mails, ways to sign in, and users. */
async function addAccess(company: Company, owner: User): Promise<void> {
  await addMail(company)
  await addWaysToSignIn(company, owner)
  await addUserOfAnotherCompany(company)
}

/** A user whose address belongs to a user of another company. */
async function addUserOfAnotherCompany(company: Company): Promise<void> {
  const { email } = await given.user(await given.company())
  await given.user(company, 'worker', undefined, email)
}

/** What setting up second factors and an identity provider, and signing in with them, writes. */
async function addWaysToSignIn(company: Company, owner: User): Promise<void> {
  const now = "now(), now() + interval '5 minutes'"
  for (const insert of [
    `authenticators (company_id, user_id, secret, created_at) values ($1, $2, decode(repeat('00', 21), 'hex'), now())`,
    `recovery_codes (company_id, user_id, code_hash, created_at) values ($1, $2, sha256('code'), now())`,
    `pending_sign_ins (company_id, user_id, token_hash, password_digest, created_at, expires_at) values ($1, $2, sha256('token'), sha256('hash'), ${now})`,
    `passkeys (company_id, user_id, credential_id, public_key, counter, rp_id, name, created_at) values ($1, $2, sha256('passkey'), 'key', 0, 'oak.example', 'Key', now())`,
    `passkey_challenges (company_id, user_id, challenge_hash, expires_at) values ($1, $2, sha256('challenge'), now())`,
    `devices (company_id, user_id, secret_hash, seen_at) values ($1, $2, sha256('device'), now())`,
    `provider_identities (company_id, user_id, subject, created_at) values ($1, $2, 'ada', now())`,
  ])
    await query(company.id, `insert into ${insert}`, [company.id, owner.id])
  const text = (length: number): string => `repeat('k', ${length})`
  for (const insert of [
    `identity_providers (company_id, link_key, name, issuer, client_id, client_secret, created_at)
     values ($1, ${text(22)}, 'Oak ID', 'https://id.oak.example', 'kontor', '\\x0000', now())`,
    `test_companies (company_id, requested_at) values ($1, null)`,
    `pending_single_sign_ons (company_id, token_hash, nonce, verifier, expires_at)
     values ($1, sha256('token'), ${text(43)}, ${text(43)}, now() + interval '10 minutes')`,
  ])
    await query(company.id, `insert into ${insert}`, [company.id])
}

/** What an invitation by mail writes. */
async function addMail(company: Company): Promise<void> {
  await query(
    company.id,
    `insert into mails (company_id, id, kind, recipient, language, created_at)
     values ($1, '5-q8Zb1nV0x_Yc2R', 'invitation', 'ben@oak.example', 'en', now())`,
    [company.id],
  )
  await query(
    company.id,
    `insert into mail_links (company_id, token_hash, mail_id, invitation_id, created_at, expires_at)
     values ($1, sha256('link'), '5-q8Zb1nV0x_Yc2R', 1, now(), now())`,
    [company.id],
  )
  // No company that exists has one; whatever has its id is deleted with it.
  await query(
    company.id,
    `insert into pending_sign_ups (company_id, company, name, email, timezone, password_hash, created_at, expires_at)
     values ($1, 'Oak', 'Ada', 'ada@oak.example', 'UTC', 'none', now(), now())`,
    [company.id],
  )
  await query(company.id, 'insert into mail_companies (company_id, has_queued) values ($1, true)', [company.id])
}

async function productionOf(company: Company, saleId: number): Promise<number> {
  const [row] = await query(company.id, 'select id::int from productions where company_id = $1 and sale_id = $2', [
    company.id,
    saleId,
  ])
  return row?.id ?? assert.fail(`sale ${saleId} has no production`)
}
