// Tenancy: the matrix with company filters and row level security, with each of them alone, and with neither, which must be detected.

import { publicMethods } from '../../server/generate/json-schema.ts'
import { methods } from '../../server/methods.ts'
import { closeDatabase, openDatabase } from '../../server/platform/postgres/database.ts'
import { openList, openLong } from '../../server/platform/requests/list-stream.ts'
import { runRead, runWrite } from '../../server/platform/requests/run.ts'
import { makeWorld } from '../../server/test/contract/world.ts'
import { startServer } from '../../server/test/harness/app.ts'
import { post } from '../../server/test/harness/concurrent-calls.ts'
import { given } from '../../server/test/harness/given.ts'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { type Service, withService } from '../scratch-service.ts'
import { type FiltersOff, filtersOff } from './filters-off.ts'
import { deletedRecords, foreignRecords, type Judged, soundCalls } from './matrix.ts'

type Defenses = { readonly name: string; readonly security: boolean; readonly filters: boolean }

const settings: readonly Defenses[] = [
  { name: 'both defenses', security: true, filters: true },
  { name: 'row level security off', security: false, filters: true },
  { name: 'company filters off', security: true, filters: false },
]

async function run(options: Options): Promise<Outcome> {
  const found: string[] = []
  const sums = { questions: 0, calls: 0, rewritten: 0 }
  for (let round = 0; round < options.runs; round++) {
    for (const defenses of settings) {
      const judged = await behind(defenses, async (line) => {
        const parts = [await judge(foreignRecords), await judge(deletedRecords), await judge(soundCalls)]
        sums.rewritten += line?.rewritten() ?? 0
        if (!defenses.filters && (line?.rewritten() ?? 0) < 100) found.push('the line hardly made a condition true')
        return parts
      })
      options.say(`${defenses.name}: ${judged.map((part) => part.calls).reduce((a, b) => a + b)} calls`)
      for (const part of judged) {
        sums.questions += part.questions
        sums.calls += part.calls
        found.push(...part.found.map((line) => `${defenses.name}: ${line}`))
      }
    }
    found.push(...(await connectionsAfterwards()))
  }
  // A test that detects nothing without both would never detect anything.
  const leaks = await leaksWithoutDefenses()
  if (leaks === 0) found.push('with no defense at all nothing was seen: the test is blind')
  return {
    counts: {
      'fields that name a record, asked': sums.questions,
      calls: sums.calls,
      'conditions made true on the wire': sums.rewritten,
      'leaks seen with no defense at all, which must show': leaks,
    },
    found: found.slice(0, 40),
  }
}

/** A matrix that cannot run is a violation, too: records that cannot be created because another company has them. */
async function judge(part: () => Promise<Judged>): Promise<Judged> {
  try {
    return await part()
  } catch (error) {
    return { questions: 0, calls: 0, found: [`could not be run: ${error instanceof Error ? error.message : error}`] }
  }
}

async function behind(
  defenses: Defenses,
  work: (line: FiltersOff | undefined) => Promise<readonly Judged[]>,
): Promise<readonly Judged[]> {
  let line: FiltersOff | undefined
  const through = async (databaseUrl: string): Promise<FiltersOff> => {
    line = await filtersOff(databaseUrl)
    return line
  }
  const service = {
    servers: 1,
    ...(defenses.security ? {} : { prepare: withoutSecurity }),
    ...(defenses.filters ? {} : { through }),
  }
  return await withService(service, async () => await work(line))
}

/** Lists that contain another company's records without filters and row level security. */
async function leaksWithoutDefenses(): Promise<number> {
  return await withService({ servers: 1, prepare: withoutSecurity }, async ({ databaseUrl }) => {
    const { company } = await makeWorld()
    await makeWorld('ELSEWHERE')
    const line = await filtersOff(databaseUrl)
    const open = await startServer({ DATABASE_URL: line.url })
    try {
      const lists = publicMethods(methods).filter(({ path }) => path.endsWith('/get_list'))
      const answers = lists.map(({ path }) => post(open.url, company.key, path, { limit: 1000 }))
      return (await Promise.all(answers)).filter(({ text }) => text.includes('ELSEWHERE')).length
    } finally {
      await open.stop()
      await line.close()
    }
  })
}

/** Disables every policy, as if none had been created. */
async function withoutSecurity(sql: Service['sql']): Promise<void> {
  const tables = await sql(
    `select oid::regclass::text as name from pg_class
     where relrowsecurity and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  if (tables.length < 20) throw new Error('row level security is on too few tables')
  for (const { name } of tables)
    await sql(`alter table ${name} disable row level security, no force row level security`)
}

/** A connection belongs to a company for one transaction: afterwards it belongs to none. */
async function connectionsAfterwards(): Promise<string[]> {
  return await withService({ servers: 1 }, async ({ databaseUrl }) => {
    const company = await given.company()
    const database = openDatabase(databaseUrl, { connections: 1, streams: 1 })
    const call = {
      companyId: company.id,
      connectionId: 1,
      userId: null,
      requestId: 'afterwards',
      source: 'api' as const,
    }
    const method = (path: string) => {
      const one = methods.find((candidate) => candidate.path === path)
      if (one === undefined) throw new Error(`there is no method ${path}`)
      return one
    }
    const owner = async (pool: typeof database.pool): Promise<string | null> =>
      await pool.use(async (connection) => {
        const asked = await connection.roundTrip(["select current_setting('app.company_id', true) as owner"])
        return asked.rows<{ owner: string | null }>(0)[0]?.owner ?? null
      })
    const found: string[] = []
    try {
      const [reading, writing] = [method('customers/get_list'), method('customers/add')]
      if (reading.kind !== 'read' || writing.kind !== 'write')
        throw new Error('a list must be a read and an add a write')
      await runRead(database.pool, reading, reading.input.read({ limit: 1 }), call, undefined)
      if (await owner(database.pool)) found.push('a connection still belongs to a company after a read')
      await runWrite(database.pool, writing, writing.input.read({ name: 'Ada' }), call, undefined, undefined)
      if (await owner(database.pool)) found.push('a connection still belongs to a company after a write')
      const list = reading.stream?.(reading.input.read({}), call)
      if (list === undefined) throw new Error('a list without a limit must be streamed')
      await openList(database, company.id, list, undefined, {})
      if (await owner(database.pool)) found.push('a connection still belongs to a company after a short list')
      for await (const _ of await openLong(database, company.id, list, undefined, {}));
      if (await owner(database.streams)) found.push('a connection still belongs to a company after an endless list')
    } finally {
      await closeDatabase(database)
    }
    return found
  })
}

export const tenancy: Campaign = {
  name: 'tenancy',
  about:
    'Every field that refers to a record × foreign, deleted, never existed: the same response, byte for byte, and no effect; every method next to a company with the same ids; all of it with row level security and company filters, with row level security off, and with every company filter replaced by true on the wire.',
  short: { runs: 1 },
  long: { runs: 3 },
  run,
}
