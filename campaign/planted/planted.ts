// Injects one fault after the other into a copy of the source tree, never into the tree itself, and runs the test that must fail. A test that
// no fault makes fail proves nothing; a fault that no test detects is a gap.

import { basename } from 'node:path'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { waitUntilIdle } from '../idle-machine.ts'
import { runIn, withCopy } from './copy.ts'
import type { Planted } from './fault.ts'
import { faults } from './faults.ts'
import { tryPatches } from './patches.ts'

type Seen = { readonly isRed: boolean; readonly detail: string }

async function run(options: Options): Promise<Outcome> {
  const patches = tryPatches()
  // One fault, or all faults of one test.
  const named = process.env['KONTOR_FAULT']
  const isMeant = ({ name, caughtBy }: Planted): boolean => name === named || caughtBy === named
  const chosen = named === undefined ? pick(options.runs, options.seed) : faults.filter(isMeant)
  if (chosen.length === 0) throw new Error(`there is no fault "${named}"`)
  const found: string[] = []
  const catches = new Map<string, number>()
  const tests = [...new Set(chosen.map((fault) => fault.caughtBy))]
  // Without a fault each test passes: otherwise its failure would prove nothing. (The short forms run separately.)
  for (const test of options.short ? [] : tests) {
    const play = () => withCopy([], (folder) => runTest(folder, { caughtBy: test }, options.seed))
    let seen = await play()
    if (seen.isRed) {
      // Some of them measure time: a single failure may be due to the machine.
      options.say(`without a fault: ${test} is red, and is asked again: ${seen.detail}`)
      await waitUntilIdle()
      seen = await play()
    }
    options.say(`without a fault: ${test} ${seen.isRed ? `is RED: ${seen.detail}` : 'is green'}`)
    if (seen.isRed) found.push(`${test} is red without any fault: ${seen.detail}`)
  }
  for (const fault of chosen) {
    const seen = await withCopy(fault.patches, (folder) => runTest(folder, fault, options.seed)).catch(
      (error: Error) => ({
        isRed: false,
        detail: error.message,
      }),
    )
    if (seen.isRed) catches.set(fault.caughtBy, (catches.get(fault.caughtBy) ?? 0) + 1)
    else found.push(`"${fault.name}" was planted and ${fault.caughtBy} did not see it`)
    options.say(
      `${fault.name}: ${seen.isRed ? `caught by ${fault.caughtBy}: ${seen.detail}` : `NOT SEEN: ${seen.detail}`}`,
    )
  }
  return {
    counts: {
      'faults planted': chosen.length,
      'faults caught': [...catches.values()].reduce((sum, one) => sum + one, 0),
      'patches that fit': patches,
      'tests that were turned red': [...catches]
        .map(([test, times]) => `${basename(test, '.test.ts')} ${times}`)
        .join(', '),
    },
    found,
  }
}

/** All of them, or a selection by the seed. */
function pick(count: number, seed: number): readonly Planted[] {
  if (count >= faults.length) return faults
  const quick = faults.filter((fault) => fault.caughtBy === 'races')
  return Array.from({ length: count }, (_, at) => quick[(seed + at) % quick.length] as Planted)
}

type Expected = Pick<Planted, 'caughtBy' | 'runs' | 'showing' | 'env'>

async function runTest(folder: string, expected: Expected, seed: number): Promise<Seen> {
  const { caughtBy: test, runs, showing, env } = expected
  const isFile = test.endsWith('.test.ts')
  const more = runs === undefined ? [] : ['--runs', String(runs)]
  const args = isFile
    ? ['server/test/runner/run.ts', test]
    : ['campaign/main.ts', test, '--short', '--seed', String(seed), ...more]
  for (let attempt = 1; ; attempt++) {
    const { code, output } = await runIn(folder, args, env)
    if (code === 0) return { isRed: false, detail: lastLine(output) }
    const complaints = [...output.matchAll(isFile ? /^✖ (?!failing tests)(.*)$/gm : /^ {2}FOUND {2}(.*)$/gm)]
    const meant = complaints.map(([, text = '']) => text).find((text) => showing === undefined || showing.test(text))
    if (meant !== undefined) return { isRed: true, detail: meant.slice(0, 300) }
    if (complaints.length > 0)
      return { isRed: false, detail: `red for another reason: ${complaints[0]?.[1]?.slice(0, 300)}` }
    // Only a failed check counts as detected, not a test that could not run; when the machine is too busy to start a server, it is retried once.
    if (attempt === 2) throw new Error(`${test} could not be run with its fault:\n${output.slice(-3_000)}`)
  }
}

const lastLine = (output: string): string => output.trim().split('\n').at(-1) ?? ''

export const planted: Campaign = {
  name: 'planted',
  about: 'Faults are planted in a copy of the source, one at a time; the test that is there for each turns red.',
  short: { runs: 1 },
  long: { runs: faults.length },
  run,
}
