// Compares the plans of the pgbench script with those of the statements it was made from, and measures what each statement costs the database.

import pg from 'pg'
import { databaseUrl } from './postgres.ts'
import { asSent, type Script } from './script.ts'
import type { Sent } from './wire.ts'

type Plan = {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

/** Plans of the script that differ from the server's, each with both shapes; empty when pgbench does the same work. */
export async function differentPlans(database: string, sessionOptions: string, script: Script): Promise<string[]> {
  return await withSession(database, sessionOptions, script.recorded['company'] ?? '', async (client) => {
    const complaints: string[] = []
    for (const { text, from } of script.commands) {
      if (from?.values === undefined) continue
      const sent = asSent(text)
      const values = sent.names.map((name) => script.recorded[name] ?? null)
      const [own, bare] = [await shapeOf(client, from.text, from.values), await shapeOf(client, sent.text, values)]
      if (own !== bare) complaints.push(`${from.name}\n  the server: ${own}\n  the script: ${bare}`)
    }
    return complaints
  })
}

async function shapeOf(client: pg.Client, text: string, values: readonly (string | null)[]): Promise<string> {
  const { rows } = await explain(client, 'format json, costs off', text, values)
  const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: Plan }]
  const shape = (node: Plan): string =>
    `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''}(${(node.Plans ?? []).map(shape).join(' ')})`
  return shape(plan)
}

export type Cost = {
  readonly name: string
  readonly micros: number
  readonly triggerMicros: number
  readonly plan: string
}

/** The execution time of each statement of one request, in the order sent: the fastest quarter of many runs, all rolled back. */
export async function costsOf(
  database: string,
  sessionOptions: string,
  companyId: string,
  sent: readonly Sent[],
  runs: number,
): Promise<Cost[]> {
  return await withSession(database, sessionOptions, companyId, async (client) => {
    const statements = sent.filter(({ values }) => values !== undefined)
    const times = statements.map(() => ({ all: [] as number[], triggers: [] as number[], plan: '' }))
    for (let run = 0; run < runs; run++) {
      await client.query('savepoint run')
      for (const [at, { text, values }] of statements.entries()) {
        const { rows } = await explain(client, 'analyze, buffers, costs off', text, values ?? [])
        const lines = rows.map((row) => String(row['QUERY PLAN']))
        const took = (line: string): number => Number(/(?:Time:|time=)\s*([\d.]+)/.exec(line)?.[1] ?? 0) * 1000
        times[at]?.all.push(took(lines.find((line) => line.startsWith('Execution Time')) ?? ''))
        const triggers = lines.filter((line) => line.startsWith('Trigger'))
        times[at]?.triggers.push(triggers.reduce((sum, line) => sum + took(line), 0))
        const seen = times[at]
        if (seen !== undefined && seen.all.at(-1) === Math.min(...seen.all)) seen.plan = lines.join('\n')
      }
      await client.query('rollback to savepoint run')
    }
    const quarter = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0
    return statements.map(({ name = '', text }, at) => ({
      name: name === '' ? text.slice(0, 40) : name,
      micros: quarter(times[at]?.all ?? []),
      triggerMicros: quarter(times[at]?.triggers ?? []),
      plan: times[at]?.plan ?? '',
    }))
  })
}

let prepared = 0

async function explain(client: pg.Client, how: string, text: string, values: readonly (string | null)[]) {
  const name = `statement_${++prepared}`
  await client.query(`prepare ${name} as ${text}`)
  const literals = values.map((value) => (value === null ? 'null' : client.escapeLiteral(value)))
  const result = await client.query(
    `explain (${how}) execute ${name}${values.length === 0 ? '' : `(${literals.join(', ')})`}`,
  )
  await client.query(`deallocate ${name}`)
  return result
}

async function withSession<T>(
  database: string,
  options: string,
  companyId: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl(database), options })
  await client.connect()
  try {
    await client.query(`begin; set local app.company_id = '${Number(companyId)}'`)
    return await work(client)
  } finally {
    await client.end()
  }
}
