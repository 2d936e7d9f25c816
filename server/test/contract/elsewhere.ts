// Requests for records of another company: one for every field that refers to a record, in which that field refers to the other company's
// record and everything else is valid.

import assert from 'node:assert/strict'
import { publicMethods } from '../../generate/json-schema.ts'
import { counters } from '../../kernel/clock.ts'
import type { Method } from '../../kernel/method.ts'
import { methods } from '../../methods.ts'
import type { Reply } from '../harness/app.ts'
import { query } from '../harness/database.ts'
import type { Company } from '../harness/given.ts'
import { type Field, fieldsOf, nameOf, namesRecord, type Request, requestHeeding, setAt, valueAt } from './declared.ts'
import { liveValue, makeWorld, newCompany, type World } from './world.ts'

/** Offset of the other company's ids: far from any id of the requesting company. */
export const higher = 900_000

/** The last ids that a company has assigned before it has any record of its own. */
export async function countersOf(company: Company): Promise<Readonly<Record<string, number>>> {
  const names = counters.map((name) => `last_${name}::float8`)
  const [row] = await query(company.id, `select ${names.join(', ')} from company_clock where company_id = $1`, [
    company.id,
  ])
  return row
}

/** Sets the company's id counters as for a new company, plus `higher`. */
export async function countHigher(company: Company, first: Readonly<Record<string, number>>): Promise<void> {
  const raised = counters.map((name) => `last_${name} = ${Number(first[`last_${name}`]) + higher}`)
  await query(company.id, `update company_clock set ${raised.join(', ')} where company_id = $1`, [company.id])
}

/** Another company whose next ids are known before it has any record: the ids of a world created in the first one, plus `higher`. */
export async function emptyNeighbour(): Promise<Company> {
  const company = await newCompany()
  await countHigher(company, await countersOf(company))
  return company
}

/** The references of this company, translated to the same records of the other one. */
export function foreign(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(foreign)
  return typeof value === 'number' ? value + higher : String(value).replace('LIVE', 'ELSEWHERE')
}

export type Question = { readonly method: Method; readonly field: Field; readonly request: Request }

export function questions(world: World): readonly Question[] {
  return publicMethods(methods).flatMap((method) =>
    fieldsOf(method)
      .filter((field) => namesRecord(method, field))
      .map((field) => {
        const request = requestHeeding(method, world, field)
        // A line that is not found is skipped when others are found: here it is the only one.
        const others = Object.keys(request).filter((name) => field.length > 1 && name !== field[0])
        for (const name of others) if (Array.isArray(request[name])) delete request[name]
        setAt(request, field, foreign(valueAt(request, field)))
        return { method, field, request }
      }),
  )
}

/** Creates the records that were requested. */
export async function fill(company: Company, asked: readonly Question[]): Promise<World> {
  const world = await makeWorld('ELSEWHERE', company)
  for (const { method, field, request } of asked) {
    const there = liveValue(world, method.path, nameOf(field))
    assert.deepEqual(
      valueAt(request, field),
      there,
      `${method.path} ${nameOf(field)} refers to a record that exists by now`,
    )
  }
  return world
}

const passing = ['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset']

export type Whole = { readonly status: number; readonly text: string; readonly headers: readonly [string, string][] }

/** A response without the parts that differ from one request to the next. */
export function whole(reply: Reply): Whole {
  const headers = [...reply.headers].filter(([name]) => !passing.includes(name))
  return { status: reply.status, text: reply.text, headers }
}
