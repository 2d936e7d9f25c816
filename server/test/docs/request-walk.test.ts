// ARCHITECTURE.md describes how `orders/add` runs, from the socket to COMMIT. This test follows the description in the code: every function it
// names is declared in the file it names, and is called by a function named before it, in the order of the description.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../structure/architecture.ts'

type Step = { readonly name: string; readonly path: string }

const heading = '## From the socket to COMMIT: `orders/add`'
/** The first function, and the declaration of the method: data that the server finds by its path. */
const entryPoints = ['createHttp', 'add']

function walkOf(document: string): string {
  const section = document.split(`${heading}\n`)[1]?.split(/^## /m)[0]
  return section ?? assert.fail(`ARCHITECTURE.md has no section "${heading}"`)
}

const stepsOf = (walk: string): Step[] =>
  [...walk.matchAll(/^\d+\. `(#?\w+)` in `([\w./-]+)`/gm)].map(([, name = '', path = '']) => ({ name, path }))

/** The text of a declared function or constant, to the line that closes it. */
function declarationOf(name: string, text: string): string | undefined {
  const lines = text.split('\n')
  const topLevel = new RegExp(`^(?:export )?(?:async )?(?:function|const) ${name}\\b`)
  // A method of a class or object, unlike a call, ends its line by opening a parameter list or a body.
  const method = new RegExp(`^ +(?:async )?${name}[(<](?:.*[{(])?$`)
  const local = new RegExp(`^ +(?:async function|function|const) ${name}\\b`)
  const first =
    [topLevel, method, local].map((form) => lines.findIndex((line) => form.test(line))).find((at) => at >= 0) ?? -1
  if (first < 0) return undefined
  const indent = /^ */.exec(lines[first] ?? '')?.[0].length ?? 0
  for (let at = first + 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '' || (/^ */.exec(line)?.[0].length ?? 0) > indent) continue
    if (/^\s*[)\]}].*(?:\{|=>|\()$/.test(line)) continue
    return lines.slice(first, /^\s*[)\]}]/.test(line) ? at + 1 : at).join('\n')
  }
  return lines.slice(first).join('\n')
}

/** Where `name` is called or passed on in a declaration, after its first line; -1 when it is not. */
function useOf(name: string, declaration: string): number {
  const body = declaration.indexOf('\n')
  const call = declaration.slice(body).search(new RegExp(`(?<![\\w#])${name}\\(`))
  if (call >= 0) return call
  return declaration.slice(body).search(new RegExp(`(?<![\\w#.])${name}\\b(?!:)`))
}

function walkComplaints(steps: readonly Step[], read: (path: string) => string | undefined): string[] {
  const complaints: string[] = []
  const walked: { readonly name: string; readonly declaration: string; last: number }[] = []
  for (const { name, path } of steps) {
    const text = read(path)
    const declaration = text === undefined ? undefined : declarationOf(name, text)
    if (text === undefined) complaints.push(`${path} does not exist`)
    else if (declaration === undefined) complaints.push(`${path} does not declare ${name}`)
    const caller = walked.findLast((earlier) => useOf(name, earlier.declaration) >= 0)
    if (!entryPoints.includes(name)) {
      if (caller === undefined) complaints.push(`no earlier step calls ${name}`)
      else if (useOf(name, caller.declaration) < caller.last) complaints.push(`${caller.name} calls ${name} earlier`)
      else caller.last = useOf(name, caller.declaration)
    }
    walked.push({ name, declaration: declaration ?? '', last: -1 })
  }
  return complaints
}

test('the walk of orders/add matches the code', () => {
  const walk = walkOf(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))
  const steps = stepsOf(walk)
  const numbered = walk.match(/^\d+\. /gm)?.length
  assert.equal(steps.length, numbered, 'every step begins with "`function` in `file`"')
  assert.ok(steps.length >= 20, `only ${steps.length} steps`)
  assert.ok(walk.split('\n').length <= 60, 'the walk has at most 60 lines')
  const read = (path: string): string | undefined => {
    try {
      return readFileSync(join(root, path), 'utf8')
    } catch {
      return undefined
    }
  }
  assert.deepEqual(walkComplaints(steps, read), [])
})

test('the functions of the declaration run in the order of the walk', () => {
  const run = [
    ['lockAndRead', 'run.ts'],
    ['computePlan', 'planning.ts'],
  ]
    .map(([name = '', file = '']) => {
      const text = readFileSync(join(root, 'server/platform/requests', file), 'utf8')
      return declarationOf(name, text) ?? assert.fail(`${name} is gone`)
    })
    .join('\n')
  const order = ['facts', 'plan', 'write', 'response'].map((part) => run.indexOf(`method.${part}(`))
  assert.ok(!order.includes(-1), String(order))
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  )
})

test('a function that was renamed, moved or reordered is reported', () => {
  const files: Record<string, string> = {
    'a.ts': 'export function createHttp(\n  x: number,\n): void {\n  first()\n\n  second()\n}\n',
    'b.ts': 'export const first = (): void => {}\nexport function second(): void {\n}\n',
  }
  const complaints = (...steps: [name: string, path: string][]) =>
    walkComplaints(
      steps.map(([name, path]) => ({ name, path })),
      (path) => files[path],
    )
  assert.deepEqual(complaints(['createHttp', 'a.ts'], ['first', 'b.ts'], ['second', 'b.ts']), [])
  assert.deepEqual(complaints(['createHttp', 'a.ts'], ['first', 'a.ts']), ['a.ts does not declare first'])
  assert.deepEqual(complaints(['createHttp', 'a.ts'], ['first', 'c.ts']), ['c.ts does not exist'])
  assert.deepEqual(complaints(['createHttp', 'a.ts'], ['third', 'b.ts']), [
    'b.ts does not declare third',
    'no earlier step calls third',
  ])
  assert.deepEqual(complaints(['createHttp', 'a.ts'], ['second', 'b.ts'], ['first', 'b.ts']), [
    'createHttp calls first earlier',
  ])
})
