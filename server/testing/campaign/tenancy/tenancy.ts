// Tenancy: the matrix with both walls up, with each wall alone, and with none, which must show.

import { methods } from '../../../methods.ts'
import { closeDatabase, openDatabase } from '../../../platform/database.ts'
import { publicMethods } from '../../../platform/json-schema.ts'
import { runRead, runWrite } from '../../../platform/run.ts'
import { openList } from '../../../platform/stream.ts'
import { startServer } from '../../app.ts'
import { post } from '../../crowd.ts'
import { given } from '../../given.ts'
import { makeWorld } from '../../laws/world.ts'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { type Service, withService } from '../scratch-service.ts'
import { type FiltersOff, filtersOff } from './filters-off.ts'
import { deletedRecords, foreignRecords, type Judged, soundCalls } from './matrix.ts'

type Walls = { readonly name: string; readonly security: boolean; readonly filters: boolean }

const settings: readonly Walls[] = [
  { name: 'both walls', security: true, filters: true },
  { name: 'row level security off', security: false, filters: true },
  { name: 'company filters off', security: true, filters: false },
]

async function run(options: Options): Promise<Outcome> {
  const found: string[] = []
  const sums = { questions: 0, calls: 0, rewritten: 0 }
  for (let round = 0; round < options.runs; round++) {
    for (const walls of settings) {
      const judged = await behind(walls, async (line) => {
        const parts = [await judge(foreignRecords), await judge(deletedRecords), await judge(soundCalls)]
        sums.rewritten += line?.rewritten() ?? 0
        if (!walls.filters && (line?.rewritten() ?? 0) < 100) found.push('the line hardly made a condition true')
        return parts
      })
      options.say(`${walls.name}: ${judged.map((part) => part.calls).reduce((a, b) => a + b)} calls`)
      for (const part of judged) {
        sums.questions += part.questions
        sums.calls += part.calls
        found.push(...part.found.map((line) => `${walls.name}: ${line}`))
      }
    }
    found.push(...(await connectionsAfterwards()))
  }
  // A test that sees nothing with both walls down would see nothing ever.
  const leaks = await leaksWithoutWalls()
  if (leaks === 0) found.push('with no wall at all nothing was seen: the test is blind')
  return {
    counts: {
      'fields that name a record, asked': sums.questions,
      calls: sums.calls,
      'conditions made true on the wire': sums.rewritten,
      'leaks seen with no wall at all, which must show': leaks,
    },
    found: found.slice(0, 40),
  }
}

/** What cannot even be played is a breach, too: records that cannot be made because another company has them. */
async function judge(part: () => Promise<Judged>): Promise<Judged> {
  try {
    return await part()
  } catch (error) {
    return { questions: 0, calls: 0, found: [`could not be played: ${error instanceof Error ? error.message : error}`] }
  }
}

async function behind(
  walls: Walls,
  work: (line: FiltersOff | undefined) => Promise<readonly Judged[]>,
): Promise<readonly Judged[]> {
  let line: FiltersOff | undefined
  const through = async (databaseUrl: string): Promise<FiltersOff> => {
    line = await filtersOff(databaseUrl)
    return line
  }
  const service = {
    servers: 1,
    ...(walls.security ? {} : { prepare: withoutSecurity }),
    ...(walls.filters ? {} : { through }),
  }
  return await withService(service, async () => await work(line))
}

/** Lists that show a neighbour's records when neither wall stands. */
async function leaksWithoutWalls(): Promise<number> {
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

/** Every policy is out of force, as if nobody had ever written one. */
async function withoutSecurity(sql: Service['sql']): Promise<void> {
  const tables = await sql(
    `select oid::regclass::text as name from pg_class
     where relrowsecurity and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  if (tables.length < 20) throw new Error('row level security stands on too few tables to be taken off')
  for (const { name } of tables)
    await sql(`alter table ${name} disable row level security, no force row level security`)
}

/** A connection belongs to a company for one transaction: afterwards it belongs to nobody. */
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
        const asked = await connection.flight(["select current_setting('app.company_id', true) as owner"])
        return asked.rows<{ owner: string | null }>(0)[0]?.owner ?? null
      })
    const found: string[] = []
    try {
      const [reading, writing] = [method('customers/get_list'), method('customers/add')]
      if (reading.kind !== 'read' || writing.kind !== 'write') throw new Error('a list reads and an add writes')
      await runRead(database.pool, reading, reading.input.read({ limit: 1 }), call, undefined)
      if (await owner(database.pool)) found.push('a connection still belongs to a company after a read')
      await runWrite(database.pool, writing, writing.input.read({ name: 'Ada' }), call, undefined, undefined)
      if (await owner(database.pool)) found.push('a connection still belongs to a company after a write')
      const list = reading.stream?.(reading.input.read({}), call)
      if (list === undefined) throw new Error('a list without a limit is streamed')
      for await (const _ of await openList(database.streams, company.id, list, async () => {}));
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
    'Every field that names a record × foreign, deleted, never existed: answered alike, byte for byte, and without effect; every method beside a company with the same ids; all of it with both walls, with row level security off, and with every company filter made true on the wire.',
  short: { runs: 1 },
  long: { runs: 3 },
  run,
}
