// Node's own spec reporter without its closing lines. It also records what happens to every test file, for the runner, which decides after all attempts
// what the closing lines are.

import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { spec } from 'node:test/reporters'
import { root } from '../structure/architecture.ts'
import { addEvent, eventsVariable, type Result } from './events.ts'

const eventsPath = process.env[eventsVariable]
// A test that starts a run of its own does not record into this one.
delete process.env[eventsVariable]

type Event = { readonly type: string; readonly data: Readonly<Record<string, unknown>> }
type Details = {
  readonly duration_ms?: number
  readonly type?: string
  readonly error?: { readonly message?: string; readonly failureType?: string }
}

const closingLine = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/

/** Node reports a file as a test of its own, which has the name under which the file was given. */
const isFile = ({ name, file, nesting }: Event['data']): boolean =>
  nesting === 0 && typeof file === 'string' && (name === file || relative(process.cwd(), file) === name)

const cancellations = ['cancelledByParent', 'testAborted', 'testTimeoutFailure']

function resultOf({ type, data }: Event, error: Details['error']): Result {
  if (data['skip'] !== undefined) return 'skipped'
  if (data['todo'] !== undefined) return 'todo'
  if (type === 'test:pass') return 'passed'
  return cancellations.includes(error?.failureType ?? '') ? 'cancelled' : 'failed'
}

/** Node reports the results of the tests in the order of the files, and starts and ends as they happen. */
function record(recordPath: string, event: Event): void {
  const { type, data } = event
  // A test that is declared by a function of another file has that file's name; the file that runs is the entry.
  const path = data['entryFile'] ?? data['file']
  if (typeof path !== 'string') return
  const file = relative(root, path)
  const { duration_ms: ms = 0, type: kind, error } = (data['details'] ?? {}) as Details
  if (type === 'test:dequeue' && isFile(data)) addEvent(recordPath, { type: 'started', file })
  if (type === 'test:complete' && isFile(data))
    addEvent(recordPath, { type: 'ended', file, seconds: ms / 1000, passed: error === undefined })
  if ((type === 'test:pass' || type === 'test:fail') && kind !== 'suite') {
    const isParent = error?.failureType === 'subtestsFailed'
    addEvent(recordPath, {
      type: 'result',
      file,
      test: String(data['name']),
      result: resultOf(event, error),
      message: isParent ? '' : (error?.message ?? String(data['skip'] ?? '')),
    })
  }
}

async function* recorded(source: AsyncIterable<Event>): AsyncGenerator<Event> {
  for await (const event of source) {
    if (eventsPath !== undefined) record(eventsPath, event)
    const { type, data } = event
    const isClosing =
      type === 'test:diagnostic' && data['file'] === undefined && closingLine.test(String(data['message']))
    if (eventsPath === undefined || !isClosing) yield event
  }
}

export default async function* reporter(source: AsyncIterable<Event>): AsyncGenerator<string> {
  for await (const chunk of Readable.from(recorded(source)).pipe(new spec())) yield String(chunk)
}
