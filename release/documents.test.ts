// Links of the documents in a release lead to files of the release.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetsOf, withoutDeadLinks } from './documents.ts'

const released = ['docs/guides/runbook.md', 'SECURITY.md']
const without = (text: string): string =>
  withoutDeadLinks(text, 'docs/guides/operators.md', (path) => released.includes(path))

test('a link to a file of the release stays, and any other becomes its text', () => {
  const kept =
    'See [the runbook](runbook.md#alerts), [Security](../../SECURITY.md), [below](#limits), [Node](https://nodejs.org/).'
  assert.equal(without(kept), kept)
  assert.equal(
    without('| [a test](../../server/app.test.ts) | ![The list](../screens/a.png) |'),
    '| a test | The list |',
  )
})

test('the targets of a document are paths from the root', () => {
  assert.deepEqual(targetsOf('[a](../b.md) [c](d.md#e) [f](https://g)', 'docs/guides/x.md'), [
    'docs/b.md',
    'docs/guides/d.md',
  ])
})
