// A company with one product and the shortest body that sells it, for the tests of rules common to all methods.

import assert from 'node:assert/strict'
import { send, url } from '../../harness/app.ts'
import { query } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'

export type Reply = Awaited<ReturnType<Company['call']>>
export type Shop = Awaited<ReturnType<typeof openShop>>

type Fields = Readonly<Record<string, unknown>>

export async function openShop(settings?: Parameters<typeof given.company>[0]) {
  const company = await given.company(settings)
  const product = await given.product(company, { sku: 'P' })
  const sale = (change: Fields = {}): Fields => ({
    num: '1',
    customer_name: 'Ada',
    products: [{ sku: product.sku, amount: 1, total: 10 }],
    ...change,
  })
  /** A sale of one line, with the given fields of the line changed. */
  const saleOf = (line: Fields, change: Fields = {}): Fields =>
    sale({ products: [{ sku: product.sku, amount: 1, total: 10, ...line }], ...change })
  const entry = async (orderId: unknown) => {
    const reply = await company.call('orders/get_entry', { order_id: orderId })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.order
  }
  /** Adds a sale that must be accepted, and reads it back. */
  const added = async (body: Fields) => {
    const reply = await company.call('orders/add', body)
    assert.equal(reply.status, 200, reply.text)
    return await entry(reply.body.order_id)
  }
  /** A short form of the response to a body: 200, or the error text of a 400. */
  const answer = async (path: string, body: unknown): Promise<string> => answerOf(await company.call(path, body))
  return { company, product, sale, saleOf, entry, added, answer }
}

export function answerOf(reply: Reply): string {
  if (reply.status === 200) return '200'
  assert.equal(reply.status, 400, reply.text)
  assertFailure(reply, 400, reply.body.error)
  return reply.body.error
}

/** Exactly this failure: the status, the JSON text and its content type. */
export function assertFailure(reply: Reply, status: number, error: string): void {
  assert.deepEqual(
    { status: reply.status, text: reply.text },
    { status, text: JSON.stringify({ success: false, error }) },
  )
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/)
}

/** 401 reveals nothing: no body, and no challenge for a browser. */
export function assertUnauthorized(reply: Reply): void {
  assert.deepEqual({ status: reply.status, text: reply.text }, { status: 401, text: '' })
  assertNoCors(reply)
}

export function assertNoCors(reply: Reply): void {
  const cors = [...reply.headers.keys()].filter((name) => name.toLowerCase().startsWith('access-control-'))
  assert.deepEqual(cors, [])
}

/** A request to a method with the company's key and exactly these bytes. */
export function raw(
  company: Company,
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return send(`/v1/${path}.php`, { method: 'POST', headers: { Authorization: company.key, ...headers }, body })
}

/** A call to any server, such as a second process. */
export function callAt(
  base: string,
  key: string,
  path: string,
  body: unknown = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const sent = { Authorization: key, 'Content-Type': 'application/json', ...headers }
  return send(`/v1/${path}.php`, { method: 'POST', headers: sent, body: JSON.stringify(body) }, base)
}

/** The number of requests counted on the company's current day. */
export async function used(company: Company): Promise<number> {
  const [row] = await query(company.id, 'select used from quotas where company_id = $1', [company.id])
  return Number(row?.used ?? 0)
}

export async function setUsed(company: Company, count: number): Promise<void> {
  const rows = await query(company.id, 'update quotas set used = $2 where company_id = $1 returning used', [
    company.id,
    count,
  ])
  assert.equal(rows.length, 1)
}

export const origin = (): string => new URL(url()).origin
