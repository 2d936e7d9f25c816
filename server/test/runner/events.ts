// What happened to the test files of a run: appended to a file by the reporter, one line per event, and read by the runner.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Names the file; without it nothing is recorded. */
export const eventsVariable = 'KONTOR_TEST_EVENTS'

export const results = ['passed', 'failed', 'cancelled', 'skipped', 'todo'] as const
export type Result = (typeof results)[number]

export type TestEvent =
  | { readonly type: 'started'; readonly file: string }
  | { readonly type: 'ended'; readonly file: string; readonly seconds: number; readonly passed: boolean }
  | {
      readonly type: 'result'
      readonly file: string
      readonly test: string
      readonly result: Result
      /** The error, or the reason why it was skipped. Empty for a test of which only subtests failed. */
      readonly message: string
    }

export const addEvent = (path: string, event: TestEvent): void => appendFileSync(path, `${JSON.stringify(event)}\n`)

export const readEvents = (path: string): TestEvent[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        // The last line may be unfinished when the run was stopped.
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line) as TestEvent)
    : []

/** Files that have started and not ended. */
export function runningFiles(events: readonly TestEvent[]): string[] {
  const running = new Set<string>()
  for (const { type, file } of events) {
    if (type === 'started') running.add(file)
    if (type === 'ended') running.delete(file)
  }
  return [...running]
}
