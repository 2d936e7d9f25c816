// Two commits in turn: each has its own server and its own database, with the same data, and only adjacent slices are compared.

import { atMostPerSecond, maxForeign, warmUpOf } from './bench.ts'
import { companiesOf, copyDatabase, dropDatabases, kontor, loadWorld } from './load.ts'
import { databaseUrl } from './postgres.ts'
import { type Server, startServer, waitForQuiet } from './processes.ts'
import { againstTable, type Compared, type Pair } from './report.ts'
import type { Scenario } from './scenarios.ts'
import { Served, type ServedSlice } from './served.ts'
import { checkOut, type Source, thisSource } from './source.ts'
import type { World } from './world.ts'

type Side = { readonly source: Source; readonly database: string; readonly server: Server; readonly served: Served }

async function openSide(source: Source, world: World, say: (line: string) => void): Promise<Side> {
  await loadWorld(world, { fresh: false, source }, say)
  const database = `${world.database}_served`
  await copyDatabase(world.database, database)
  const server = await startServer(databaseUrl(database), { source })
  return { source, database, server, served: new Served(server, database, await companiesOf(database)) }
}

async function closeSide({ server, served, database }: Side): Promise<void> {
  await server.stop()
  served.close()
  await dropDatabases([database])
}

async function compare(
  earlier: Side,
  later: Side,
  scenario: Scenario,
  { rounds, seconds, patientUntilMs }: CompareOptions,
  say: (line: string) => void,
): Promise<Compared> {
  const warm = new Map<Side, ServedSlice>()
  for (const side of [earlier, later])
    warm.set(side, await side.served.slice(scenario, warmUpOf(scenario), atMostPerSecond))
  const slice = async (side: Side): Promise<ServedSlice> => {
    if (performance.now() < patientUntilMs) await waitForQuiet(maxForeign, patientUntilMs)
    return await side.served.slice(scenario, seconds, Math.ceil((warm.get(side)?.requestsPerSecond ?? 0) * 3))
  }
  const measured: Pair[] = []
  for (let round = 0; round < rounds; round++) {
    // In turn the first one, so that a machine that becomes slower does not favour one of them.
    const first = round % 2 === 0 ? await slice(earlier) : undefined
    const second = await slice(later)
    const pair = { earlier: first ?? (await slice(earlier)), later: second }
    measured.push(pair)
    say(
      `${scenario.name} ${round + 1}: ${(pair.later.requestsPerSecond / pair.earlier.requestsPerSecond).toFixed(2)} times as many requests/s`,
    )
  }
  return { title: scenario.title, scenario: scenario.name, rounds: measured }
}

export type CompareOptions = { readonly rounds: number; readonly seconds: number; readonly patientUntilMs: number }

/** The table of the comparison of this checkout with another commit. */
export async function compareWith(
  revision: string,
  world: World,
  scenarios: readonly Scenario[],
  options: CompareOptions,
  say: (line: string) => void,
): Promise<string> {
  const other = checkOut(revision)
  const otherWorld = { ...world, database: `${world.database}_${other.commit}` }
  const sides: Side[] = []
  try {
    sides.push(await openSide(other, otherWorld, say))
    sides.push(await openSide(thisSource(), world, say))
    const [earlier, later] = sides as [Side, Side]
    const compared: Compared[] = []
    for (const scenario of scenarios) compared.push(await compare(earlier, later, scenario, options, say))
    for (const side of sides) say((await kontor(side.source, side.database, 'audit')).trim())
    return againstTable(other.commit, compared)
  } finally {
    for (const side of sides) await closeSide(side)
    await dropDatabases([otherWorld.database])
    other.remove()
  }
}
