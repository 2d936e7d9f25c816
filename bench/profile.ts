// A profile of one scenario: functions of the server by self time, and statements by their cost in the database.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Bench } from './bench.ts'
import { costsOf } from './plans.ts'
import type { Scenario } from './scenarios.ts'
import type { World } from './world.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const shownFunctions = 40
const shownPlaces = 25
const runsOfStatements = 100
const shownPlans = 3

export async function profile(
  world: World,
  scenario: Scenario,
  seconds: number,
  say: (line: string) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-profile-'))
  const bench = await Bench.open(world, say, ['--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${folder}`])
  try {
    for (const { kind } of scenario.kinds) {
      for (const [turn, { roundTrips, marks, ask }] of (await bench.recorder.record(kind)).entries()) {
        const company = marks.find(({ name }) => name === 'company')?.pair[0] ?? ''
        const sent = roundTrips[0].flat()
        // On the copy without the recorded request: the rows it inserts do not exist there yet.
        const { served } = bench.databases
        const costs = await costsOf(served, bench.recorder.sessionOptions, company, sent, runsOfStatements)
        say(
          `\n${kind.name}, ${ask}${turn === 0 ? '' : ' again'}: statements in the order sent, µs to execute (of them in foreign keys)`,
        )
        for (const { name, micros, triggerMicros } of costs) {
          say(`${micros.toFixed(0).padStart(8)} ${triggerMicros.toFixed(0).padStart(8)}  ${name}`)
        }
        for (const { name, plan } of costs.toSorted((a, b) => b.micros - a.micros).slice(0, shownPlans)) {
          say(`\n${name}\n${plan}`)
        }
      }
    }
    const slice = await bench.serve(scenario, seconds)
    say(
      `\n${scenario.title}: ${slice.requestsPerSecond.toFixed(0)}/s, server ${slice.serverMicros.toFixed(0)} µs, PostgreSQL ${slice.postgresMicros.toFixed(0)} µs a request`,
    )
  } finally {
    await bench.close()
  }
  try {
    for (const name of readdirSync(folder))
      sayProfile(JSON.parse(readFileSync(join(folder, name), 'utf8')), seconds, say)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** The slice is the last activity of the server: everything before it, mainly the start, is left out. */
function sayProfile({ nodes, samples, timeDeltas }: CpuProfile, seconds: number, say: (line: string) => void): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const functions = new Map<string, number>()
  const places = new Map<string, number>()
  let total = 0
  let left = timeDeltas.reduce((sum, delta) => sum + delta, 0)
  for (const [at, id] of samples.entries()) {
    const frame = frames.get(id)
    const micros = timeDeltas[at] ?? 0
    left -= micros
    if (left > seconds * 1_000_000 || frame === undefined || frame.functionName === '(idle)') continue
    total += micros
    const place = placeOf(frame.url) || frame.functionName
    const name = `${frame.functionName || '(anonymous)'} ${place}:${frame.lineNumber + 1}`
    functions.set(name, (functions.get(name) ?? 0) + micros)
    places.set(place, (places.get(place) ?? 0) + micros)
  }
  const show = (title: string, of: ReadonlyMap<string, number>, most: number) => {
    say(`\n${title}, self time without idle time (${(total / 1_000_000).toFixed(1)} s)`)
    for (const [name, micros] of [...of].toSorted((a, b) => b[1] - a[1]).slice(0, most)) {
      say(`${((micros / total) * 100).toFixed(1).padStart(6)} %  ${name}`)
    }
  }
  show('Files and packages', places, shownPlaces)
  show('Functions', functions, shownFunctions)
}

/** A file of the repository, a package, or a module of Node. */
function placeOf(url: string): string {
  const path = url.replace(/^file:\/\//, '').replace(root, '')
  const [, named] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  return named ?? path
}
