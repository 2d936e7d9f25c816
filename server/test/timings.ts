// Durations of the parts of a full run and of its test files: appended to a file during the run, and printed at its end.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** A part of the run, such as lint, or one test file. */
export type Timing =
  | { readonly part: string; readonly seconds: number }
  | { readonly file: string; readonly seconds: number }

/** Names the file; a run without it records no timings. */
export const timingsVariable = 'KONTOR_TIMINGS'
/** The current part, whose reporter prints everything at its end. */
export const lastPartVariable = 'KONTOR_LAST_PART'

export const addTiming = (path: string, timing: Timing): void => appendFileSync(path, `${JSON.stringify(timing)}\n`)

export const readTimings = (path: string): Timing[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Timing)
    : []

const maxFiles = 20

const line = (seconds: number, name: string): string => `  ${seconds.toFixed(1).padStart(8)} s  ${name}`

/** The parts in order, and the slowest test files. */
export function timingsText(timings: readonly Timing[]): string {
  const parts = timings.filter((one) => 'part' in one).map(({ seconds, part }) => line(seconds, part))
  const files = timings
    .filter((one) => 'file' in one)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, maxFiles)
    .map(({ seconds, file }) => line(seconds, file))
  return ['Duration of each part:', ...parts, `The ${files.length} slowest test files:`, ...files, ''].join('\n')
}
