// The outcome of a test run from the events of its attempts: which files failed, which passed only when they were repeated, and the counts.

import { type Result, results, type TestEvent } from './events.ts'

/** A failed file that passes when it is repeated alone does not fail the run. More such files do. */
export const maxFlakyFiles = 3

/** Names a file for the outcome of a run, as JSON. */
export const outcomeVariable = 'KONTOR_TEST_OUTCOME'

/** A measurement that the machine was too busy for is skipped with a reason that begins like this. */
export const undecidedPrefix = 'undecided'

type Failure = { readonly file: string; readonly test: string; readonly message: string }

export type Outcome = {
  readonly passed: boolean
  readonly counts: Readonly<Record<Result, number>>
  readonly undecided: number
  /** Failures of the files that failed at every attempt. */
  readonly failures: readonly Failure[]
  /** Failures of the files that passed when they were repeated. */
  readonly flaky: readonly Failure[]
  readonly files: readonly { readonly file: string; readonly seconds: number }[]
}

const ended = (events: readonly TestEvent[]) => events.filter((event) => event.type === 'ended')
const resultsOf = (events: readonly TestEvent[]) => events.filter((event) => event.type === 'result')

/** The files that failed, each once. A file that never ended has failed, too. */
export function failedFiles(files: readonly string[], events: readonly TestEvent[]): string[] {
  const passed = new Set(ended(events).flatMap(({ file, passed: isGood }) => (isGood ? [file] : [])))
  return files.filter((file) => !passed.has(file))
}

/** `first` are the events of all files, `again` those of the repetition of the failed ones. */
export function outcomeOf(
  files: readonly string[],
  first: readonly TestEvent[],
  again: readonly TestEvent[] = [],
): Outcome {
  const failedFirst = failedFiles(files, first)
  const failedTwice = failedFiles(failedFirst, again)
  const flakyFiles = failedFirst.filter((file) => !failedTwice.includes(file))
  const failuresOf = (events: readonly TestEvent[], file: string): readonly Failure[] => {
    const isFailure = ({ result, message }: { result: Result; message: string }): boolean =>
      (result === 'failed' || result === 'cancelled') && message !== ''
    const found = resultsOf(events).filter((event) => event.file === file && isFailure(event))
    return found.length > 0 ? found : [{ file, test: file, message: 'did not end' }]
  }
  const isRepeated = new Set(ended(again).map(({ file }) => file))
  // A repeated file counts as it ended the last time.
  const last = [...first.filter(({ file }) => !isRepeated.has(file)), ...again]
  const counted = resultsOf(last)
  const isUndecided = ({ result, message }: { result: Result; message: string }): boolean =>
    result === 'skipped' && message.startsWith(undecidedPrefix)
  return {
    passed: failedTwice.length === 0 && flakyFiles.length <= maxFlakyFiles,
    counts: Object.fromEntries(
      results.map((name) => [name, counted.filter(({ result }) => result === name).length]),
    ) as Outcome['counts'],
    undecided: counted.filter(isUndecided).length,
    failures: failedTwice.flatMap((file) => failuresOf(last, file)),
    flaky: flakyFiles.flatMap((file) => failuresOf(first, file)),
    files: ended(last).map(({ file, seconds }) => ({ file, seconds })),
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)

/** One line for each failure that did not occur again. */
export const flakyLines = ({ flaky }: Outcome): string[] =>
  flaky.map(({ file, test, message }) => `flaky: ${file}: ${oneLine(test)}: ${oneLine(message)}`)

/** In the form of node's test runner, so that whatever reads its closing lines reads these. */
export function closingLines({ counts, undecided }: Outcome, seconds: number): string {
  const { passed, failed, cancelled, skipped, todo } = counts
  return [
    ...(undecided === 0 ? [] : [`${undecided} of the skipped tests are undecided: the machine was too busy`]),
    `ℹ tests ${passed + failed + cancelled + skipped + todo}`,
    'ℹ suites 0',
    `ℹ pass ${passed}`,
    `ℹ fail ${failed}`,
    `ℹ cancelled ${cancelled}`,
    `ℹ skipped ${skipped}`,
    `ℹ todo ${todo}`,
    `ℹ duration_ms ${Math.round(seconds * 1000)}`,
  ].join('\n')
}
