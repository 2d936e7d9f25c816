// The benchmark: `node bench/main.ts --help` shows its usage, bench/README.md what it measures and how.

import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareWith } from './against.ts'
import { Bench, type Measured, type MeasuredList } from './bench.ts'
import { againstGoals } from './goals.ts'
import { loadWorld } from './load.ts'
import { machine } from './machine.ts'
import { openPostgres } from './postgres.ts'
import { profile } from './profile.ts'
import { busyTable, type Growth, growthTable, scenarioTable } from './report.ts'
import { growthOf, type Scenario, scenariosOf } from './scenarios.ts'
import { fullWorld, longId, smallWorld, type World } from './world.ts'

const help = `Usage: npm run bench -- [options]
  --scenario NAME   only this one; may be given several times: SCENARIOS, all, growth
  --rounds N        slices on either side (5)
  --seconds N       length of a slice (5)
  --patience N      wait at most this many minutes in total for other processes on the machine to finish (0)
  --fresh           load the data again, even if they exist
  --small           with little data, as in bench:smoke
  --save            write the tables to bench/results/<date>.md
  --profile NAME    no measurement: a profile of this scenario
  --against COMMIT  this checkout and another commit in turn, instead of this checkout and the bare SQL
  --no-audit        do not check the data afterwards`

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    patience: { type: 'string', default: '0' },
    fresh: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    profile: { type: 'string' },
    against: { type: 'string' },
    'no-audit': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const world: World = values.small ? smallWorld : fullWorld
const scenarios = scenariosOf(world)
const say = (line: string): void => console.log(line)

function named(name: string): Scenario {
  const scenario = scenarios.find((one) => one.name === name)
  if (scenario === undefined)
    throw new Error(`there is no scenario ${name}: ${scenarios.map((one) => one.name).join(', ')}`)
  return scenario
}

function wholeNumber(option: 'rounds' | 'seconds' | 'patience', least = 1): number {
  const number = Number(values[option])
  if (!Number.isSafeInteger(number) || number < least)
    throw new Error(`--${option} must be an integer of at least ${least}`)
  return number
}

async function run(): Promise<void> {
  const [rounds, seconds] = [wholeNumber('rounds'), wholeNumber('seconds')]
  const wanted = values.scenario ?? [...scenarios.map(({ name }) => name), 'all', 'growth']
  const chosen = wanted.filter((name) => name !== 'all' && name !== 'growth').map(named)
  const about = await machine()
  say(about)
  await loadWorld(world, { fresh: values.fresh }, say)
  const bench = await Bench.open(world, say)
  bench.waitForQuietUntil(performance.now() + wholeNumber('patience', 0) * 60_000)
  const measured: Measured[] = []
  const growth: Growth[] = []
  let list: MeasuredList | undefined
  let audit = 'not run'
  const pairs = wanted.includes('growth') ? growthOf(world) : []
  try {
    await bench.record([...chosen, ...pairs.flatMap(({ few, many }) => [few, many])])
    for (const scenario of chosen) measured.push(await bench.measure(scenario, rounds, seconds))
    if (wanted.includes('all')) list = await measureAll(bench, rounds)
    growth.push(...(await measureGrowth(bench, pairs, rounds, Math.min(seconds, 3))))
    if (!values['no-audit']) audit = (await bench.audit()).trim()
  } finally {
    await bench.close()
  }
  const tables = [
    scenarioTable(measured, list),
    busyTable(measured),
    ...(growth.length === 0 ? [] : [growthTable(growth)]),
    `Audit of the served data: ${audit}`,
  ].filter((text) => text !== '')
  say(`\n${tables.join('\n\n')}`)
  if (values.save) save(about, rounds, seconds, tables)
}

/** Compares with another commit; without --scenario the three methods that have a goal. */
async function runAgainst(revision: string): Promise<void> {
  const options = {
    rounds: wholeNumber('rounds'),
    seconds: wholeNumber('seconds'),
    patientUntilMs: performance.now() + wholeNumber('patience', 0) * 60_000,
  }
  const chosen = (values.scenario ?? Object.keys(againstGoals)).map(named)
  const about = await machine()
  say(about)
  const compared = await compareWith(revision, world, chosen, options, say)
  say(`\n${compared}`)
  if (values.save) save(about, options.rounds, options.seconds, [compared], '-against')
}

async function measureAll(bench: Bench, rounds: number): Promise<MeasuredList> {
  const sales = world.long.at(-1) ?? 0
  return await bench.measureWholeList(longId(world, sales), `get_list of all ${sales.toLocaleString('en')}`, rounds)
}

async function measureGrowth(
  bench: Bench,
  pairs: ReturnType<typeof growthOf>,
  rounds: number,
  seconds: number,
): Promise<Growth[]> {
  const [few, many] = [world.long[0] ?? 0, world.long.at(-1) ?? 0].map((sales) => sales.toLocaleString('en'))
  const measured: Growth[] = []
  for (const pair of pairs) {
    const compared = await bench.compare(pair.few, pair.many, rounds, seconds)
    measured.push({ name: pair.name, few: few ?? '', many: many ?? '', rounds: compared })
  }
  return measured
}

function save(about: string, rounds: number, seconds: number, tables: readonly string[], suffix = ''): void {
  const now = new Date().toISOString()
  const folder = new URL('results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const file = new URL(`${now.slice(0, 10)}${suffix}.md`, folder)
  const text = `# Benchmark of ${now.slice(0, 16).replace('T', ' ')} UTC

${about}
- ${world.spread} companies with ${world.products} products and ${world.spreadSales.toLocaleString('en')} sales each, and companies with ${world.long.map((sales) => sales.toLocaleString('en')).join(', ')} sales
- ${rounds} rounds of ${seconds} s on either side in turn; the middle of the rounds, and in brackets the least and the most

How to read it: \`bench/README.md\`.

${tables.join('\n\n')}
`
  writeFileSync(file, text)
  say(`saved to ${file.pathname}`)
}

async function main(): Promise<void> {
  const stop = await openPostgres({ keep: true })
  try {
    if (values.against !== undefined) await runAgainst(values.against)
    else if (values.profile !== undefined) {
      const scenario = named(values.profile)
      await loadWorld(world, { fresh: values.fresh }, say)
      await profile(world, scenario, wholeNumber('seconds'), say)
    } else await run()
  } finally {
    stop()
  }
}

if (values.help) say(help.replace('SCENARIOS', scenarios.map(({ name }) => name).join(', ')))
else await main()
