// Node's own spec reporter, which also records how long every test file took. The last part of a run prints them before the closing lines, so that
// the runner's counts remain the last output.

import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { addTiming, lastPartVariable, readTimings, timingsText, timingsVariable } from './timings.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const path = process.env[timingsVariable]
const lastPart = process.env[lastPartVariable]
// Tests that start their own runs do not record timings.
delete process.env[timingsVariable]
delete process.env[lastPartVariable]

type Event = { readonly type: string; readonly data: Readonly<Record<string, unknown>> }

async function* withTimings(source: AsyncIterable<Event>): AsyncGenerator<unknown> {
  const started = performance.now()
  let isShown = path === undefined || lastPart === undefined
  for await (const event of source) {
    const { file, message, nesting, duration_ms: ms } = event.data
    if (path !== undefined && event.type === 'test:summary' && typeof file === 'string') {
      addTiming(path, { file: relative(root, file), seconds: Number(ms) / 1000 })
    }
    const isClosing = event.type === 'test:diagnostic' && nesting === 0 && /^tests \d+$/.test(String(message))
    if (!isShown && isClosing && path !== undefined && lastPart !== undefined) {
      isShown = true
      addTiming(path, { part: lastPart, seconds: (performance.now() - started) / 1000 })
      yield { type: 'test:stdout', data: { file: '', message: `\n${timingsText(readTimings(path))}\n` } }
    }
    yield event
  }
}

export default async function* reporter(source: AsyncIterable<Event>): AsyncGenerator<string> {
  for await (const chunk of Readable.from(withTimings(source)).pipe(new spec())) yield String(chunk)
}
