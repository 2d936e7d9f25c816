// Every field that refers to a record × a foreign, a deleted and a non-existent one; and a valid request to every method next to a company with
// the same ids. Findings are returned as text.

import { publicMethods } from '../../server/generate/json-schema.ts'
import type { Method } from '../../server/kernel/method.ts'
import { methods } from '../../server/methods.ts'
import { fullRequest, nameOf } from '../../server/test/contract/declared.ts'
import {
  countersOf,
  countHigher,
  emptyNeighbour,
  fill,
  type Question,
  questions,
  type Whole,
  whole,
} from '../../server/test/contract/elsewhere.ts'
import { allRows, type Rows } from '../../server/test/contract/rows.ts'
import { makeWorld, newCompany, type World } from '../../server/test/contract/world.ts'
import type { Reply } from '../../server/test/harness/app.ts'
import { inLanes } from '../../server/test/harness/concurrent-calls.ts'
import type { Company } from '../../server/test/harness/given.ts'

export type Judged = { readonly questions: number; readonly calls: number; readonly found: readonly string[] }

/** A foreign record gets the same response as one that never existed, byte for byte, and no company is affected. */
export async function foreignRecords(): Promise<Judged> {
  const found: string[] = []
  const [world, neighbour] = [await makeWorld(), await emptyNeighbour()]
  const asked = questions(world)
  const mine = await allRows(world.company)
  const never = await answers(world.company, asked)
  found.push(...changes(await allRows(world.company), mine, 'naming what never existed'))
  await fill(neighbour, asked)
  const theirs = await allRows(neighbour)
  const now = await answers(world.company, asked)
  found.push(...differences(asked, never, now, 'foreign'), ...leaks(asked, now, ['ELSEWHERE']))
  found.push(...changes(await allRows(world.company), mine, 'naming what is foreign'))
  found.push(...changes(await allRows(neighbour), theirs, 'being named by another company'))
  return { questions: asked.length, calls: 2 * asked.length, found }
}

/** The same for a deleted record. */
export async function deletedRecords(): Promise<Judged> {
  const company = await newCompany()
  const first = await countersOf(company)
  const world = await makeWorld('LIVE', company)
  const asked = questions(world)
  await countHigher(company, first)
  const never = await answers(company, asked)
  const there = await fill(company, asked)
  await deleteAll(there)
  const before = await allRows(company)
  const now = await answers(company, asked)
  const found = [
    ...differences(asked, never, now, 'deleted'),
    ...changes(await allRows(company), before, 'naming what was deleted'),
  ]
  return { questions: asked.length, calls: 2 * asked.length, found }
}

/** Every method with a valid request, next to a twin company with the same ids, and a neighbour with different ones. */
export async function soundCalls(): Promise<Judged> {
  const [world, twin] = [await makeWorld(), await makeWorld('TWIN')]
  const neighbour = await emptyNeighbour()
  await makeWorld('ELSEWHERE', neighbour)
  const others = [
    { company: twin.company, rows: await allRows(twin.company) },
    { company: neighbour, rows: await allRows(neighbour) },
  ]
  const found: string[] = []
  let calls = 0
  const inOrder = publicMethods(methods).toSorted((a, b) => rank(a) - rank(b))
  for (const [at, method] of inOrder.entries()) {
    for (const request of requestsOf(method, world)) {
      calls++
      const reply = await world.company.call(method.path, request)
      const description = `${method.path} ${JSON.stringify(request).slice(0, 300)}`
      if (reply.status >= 500) found.push(`${description} was answered ${reply.status}`)
      if (/ELSEWHERE|TWIN/.test(reply.text))
        found.push(`${description} shows what is another's: ${reply.text.slice(0, 300)}`)
    }
    // Reading every row of every table takes longer than a call: it is done every few methods.
    if (at % lookEvery !== 0 && at !== inOrder.length - 1) continue
    for (const other of others) {
      const by = `${method.path} or one of the ${lookEvery} calls before it, in another company,`
      found.push(...changes(await allRows(other.company), other.rows, by))
    }
  }
  return { questions: 0, calls, found }
}

const lookEvery = 8

const rank = (method: Method): number => (method.kind === 'read' ? 0 : method.path.endsWith('/delete') ? 2 : 1)

function requestsOf(method: Method, world: World): object[] {
  if (method.kind === 'read' && method.path.includes('/get_') && !method.path.endsWith('/get_entry'))
    return [{}, { limit: 1000 }, { search: 'e' }]
  return [fullRequest(method, world)]
}

async function answers(company: Company, asked: readonly Question[]): Promise<Reply[]> {
  const replies: Reply[] = []
  await inLanes(8, [...asked.entries()], async ([at, { method, request }]) => {
    replies[at] = await company.call(method.path, request)
  })
  return replies
}

function differences(
  asked: readonly Question[],
  never: readonly Reply[],
  now: readonly Reply[],
  kind: string,
): string[] {
  return asked.flatMap(({ method, field, request }, at) => {
    const [was, is] = [never[at], now[at]].map((reply) => whole(reply as Reply)) as [Whole, Whole]
    if (JSON.stringify(was) === JSON.stringify(is)) return []
    const description = `${method.path} ${nameOf(field)} ${JSON.stringify(request).slice(0, 200)}`
    return [
      `${kind}: ${description} → ${is.status} ${is.text.slice(0, 200)}, never existed → ${was.status} ${was.text.slice(0, 200)}`,
    ]
  })
}

function leaks(asked: readonly Question[], replies: readonly Reply[], marks: readonly string[]): string[] {
  return asked.flatMap(({ method, field, request }, at) => {
    const text = replies[at]?.text ?? ''
    // A refusal may repeat what was sent.
    const own = JSON.stringify(request)
    const shown = marks.filter((mark) => text.includes(mark) && !own.includes(mark))
    return shown.length === 0 ? [] : [`${method.path} ${nameOf(field)} shows what is another's: ${text.slice(0, 300)}`]
  })
}

function changes(is: Rows, was: Rows, by: string): string[] {
  return Object.keys({ ...was, ...is }).flatMap((table) => {
    const [before, after] = [new Set(was[table]), new Set(is[table])]
    const count =
      [...before].filter((row) => !after.has(row)).length + [...after].filter((row) => !before.has(row)).length
    return count === 0 ? [] : [`${by} changed ${count} rows of ${table}`]
  })
}

const sections: readonly (readonly [section: string, field: string])[] = [
  ['orders', 'order_id'],
  ['purchases', 'purchase_id'],
  ['productions', 'production_id'],
  ['writeoffs', 'writeoff_id'],
  ['transfers', 'transfer_id'],
  ['audits', 'audit_id'],
  ['products', 'product_id'],
  ['materials', 'material_id'],
  ['resources', 'resource_id'],
  ['customers', 'customer_id'],
  ['suppliers', 'supplier_id'],
  ['storages', 'storage_id'],
  ['categories', 'category_id'],
  ['units', 'unit_id'],
]

/** Deletes all records of a world that shares its company with another: those with its mark in text or number. */
async function deleteAll({ company }: World): Promise<void> {
  for (const [section, field] of sections) {
    const reply = await company.call(`${section}/get_list`, { limit: 1000 })
    const rows = Object.values(reply.body).find(Array.isArray) as { id: number }[]
    for (const { id } of rows.filter((row) => row.id > 900_000)) {
      const deleted = await company.call(`${section}/delete`, { [field]: id })
      if (deleted.status !== 200) throw new Error(`${section} ${id} could not be deleted: ${deleted.text}`)
    }
  }
}
