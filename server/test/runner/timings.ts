// Durations of the parts of a run, appended to a file while it runs, and the text that it prints at its end.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** A part of the run, such as lint. */
export type Timing = { readonly part: string; readonly seconds: number }
export type FileTiming = { readonly file: string; readonly seconds: number }

/** Names the file; a run without it records no timings. */
export const timingsVariable = 'KONTOR_TIMINGS'
/** When the whole run began, in seconds since 1970; set by .ci/run, whose installations count as well. */
export const startVariable = 'KONTOR_TEST_STARTED'

export const addTiming = (path: string, timing: Timing): void => appendFileSync(path, `${JSON.stringify(timing)}\n`)

export const readTimings = (path: string): Timing[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Timing)
    : []

const maxFiles = 20
/** The gate should not take longer. */
export const budgetSeconds = 1_200
/** The gate is stopped then, and prints what was running. A caller's own limit of 2,400 s would stop it without that. */
export const limitSeconds = 2_350

const line = (seconds: number, name: string): string => `  ${seconds.toFixed(1).padStart(8)} s  ${name}`

/** The parts in order, and the slowest test files. */
export function timingsText(timings: readonly Timing[], files: readonly FileTiming[]): string {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, maxFiles)
  return [
    'Duration of each part:',
    ...timings.map(({ seconds, part }) => line(seconds, part)),
    `The ${slowest.length} slowest test files:`,
    ...slowest.map(({ seconds, file }) => line(seconds, file)),
    '',
  ].join('\n')
}

/** A warning when the run took longer than its budget; names the files to move to another level. */
export function budgetWarning(seconds: number, files: readonly FileTiming[]): string | undefined {
  if (seconds <= budgetSeconds) return undefined
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 5)
  const names = slowest.map(({ file, seconds: of }) => `${file} (${of.toFixed(0)} s)`).join(', ')
  return `warning: this took ${seconds.toFixed(0)} s, more than ${budgetSeconds}. Make these faster, or move them to a part of check:all: ${names}`
}

/** Seconds since the whole run began. */
export const elapsedSeconds = (): number => Date.now() / 1000 - Number(process.env[startVariable] ?? Date.now() / 1000)
