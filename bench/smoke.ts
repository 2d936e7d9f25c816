// The short benchmark: little data, few and short slices, and a minimum ratio to the same SQL bare below which it fails. The floors are in
// floors.json, 20 % below the lowest result of several runs on an idle machine. A result below its floor is measured again, for longer: a few seconds
// of other work on the machine must not count as a slower server.

import { readFileSync } from 'node:fs'
import { Bench, type Measured } from './bench.ts'
import { loadWorld } from './load.ts'
import { machine } from './machine.ts'
import { openPostgres } from './postgres.ts'
import { median, ratios, scenarioTable } from './report.ts'
import { scenariosOf } from './scenarios.ts'
import { smallWorld as world } from './world.ts'

const rounds = 3
const seconds = 2
const warmUpSeconds = 4

const floors: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('floors.json', import.meta.url), 'utf8'),
)
const say = (line: string): void => console.log(line)
const isBelow = (one: Measured): boolean => median(ratios(one)) < (floors[one.scenario] ?? 0)

const stopPostgres = await openPostgres({ keep: false })
say(await machine())
await loadWorld(world, { fresh: false }, say)
const bench = await Bench.open(world, say)
const measured: Measured[] = []
let audit = ''
const scenarios = scenariosOf(world).filter(({ name }) => name in floors)
try {
  await bench.record(scenarios)
  for (const scenario of scenarios) {
    const first = await bench.measure(scenario, rounds, seconds, warmUpSeconds)
    measured.push(isBelow(first) ? await bench.measure(scenario, rounds * 3, seconds, warmUpSeconds) : first)
  }
  // Fails when the requests left inconsistent data.
  audit = await bench.audit()
} finally {
  await bench.close()
  stopPostgres()
}
say(`\n${scenarioTable(measured, undefined)}\n\n${audit.trim()}`)

const unmeasured = Object.keys(floors).filter((name) => !measured.some(({ scenario }) => scenario === name))
if (unmeasured.length > 0)
  throw new Error(`floors.json contains scenarios that are not measured: ${unmeasured.join(', ')}`)
const below = measured.filter(isBelow)
for (const one of below) {
  say(`${one.scenario}: ${median(ratios(one)).toFixed(2)} is below its floor of ${floors[one.scenario]}`)
}
process.exitCode = below.length === 0 ? 0 : 1
