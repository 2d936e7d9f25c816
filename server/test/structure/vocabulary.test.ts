// Keeps private words out of the codebase. The list is in vocabulary.ts.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { test } from 'node:test'
import { root, type SourceFile, treePaths } from './architecture.ts'
import {
  allowanceComplaints,
  complaintOf,
  findings,
  fixedTexts,
  isWrittenByHand,
  needlessExceptions,
  replacements,
} from './vocabulary.ts'

const endings = ['.ts', '.tsx', '.js', '.mjs', '.md', '.sql', '.css', '.html', '.sh', '.yml']
const files: SourceFile[] = treePaths()
  .filter((path) => (endings.includes(extname(path)) || path === '.ci/run') && isWrittenByHand(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const complaints = (path: string, text: string): string[] => findings([{ path, text }]).map(complaintOf)

test('a forbidden word is found in names, comments, documents and paths, and the complaint contains its replacement', () => {
  for (const [text, word] of [
    ['const toldOf = 1', 'told'],
    ['type Told = { readonly id: number }', 'told'],
    ['const hasTold = true', 'told'],
    ['const TOLD_MS = 1', 'told'],
    ['// Tells who was told.', 'told'],
    ['type Asked = string', 'Asked'],
    ['class Visit {}', 'Visit'],
    ["door: 'screens'", 'door'],
    ['one flight to the database', 'flight'],
    ['sent before it had flown', 'flown'],
    ['const provisos: Provisos = {}', 'provisos'],
    ['if (isSo()) return', 'isSo'],
    ['const saysSo = 1', 'saysSo'],
    ['readonly onWire: z.ZodType', 'onWire'],
    ['both walls hold', 'walls'],
    ['a yardstick', 'yardstick'],
    ['export const entrance = 1', 'entrance'],
    ['the laws of all methods', 'laws'],
    ['the way of a request', 'way of a request'],
    ['written beside the way', 'beside the way'],
    ['a stranger signs up', 'stranger'],
    ['the rules of the house', 'house'],
    ['a defect that was mended', 'mended'],
    ['whoever reads this', 'whoever'],
  ] as const) {
    const instead = replacements.find(({ words }) => words.includes(word))?.instead
    const complaint = `server/a.ts:1: "${word}" is not a word of this codebase; write ${instead}`
    assert.ok(complaints('server/a.ts', text).includes(complaint), `${text} → ${complaints('server/a.ts', text)}`)
  }
  assert.deepEqual(complaints('server/doors.ts', ''), [
    'server/doors.ts: "doors" is not a word of this codebase; write public API, app API',
  ])
})

test('every replaced word has an example', () => {
  for (const word of replacements.flatMap(({ words }) => words)) {
    assert.equal(findings([{ path: 'a.ts', text: word }]).length, 1, word)
  }
})

test('other words are accepted', () => {
  for (const text of [
    'const cycles = (path) => visit(path)',
    '// The test that was asked for.',
    'IconBuildingWarehouse, household, lawful, wallet, untold, outdoors',
    'the request lifecycle',
    'readonly use_told: boolean',
  ]) {
    assert.deepEqual(complaints('server/a.ts', text), [])
  }
})

test('an exception applies to its file or folder and its words only', () => {
  const excepted = [
    { path: 'demo/products.ts', words: ['wall'], reason: 'a wall shelf' },
    { path: 'web/texts/', words: ['told'], reason: 'rewritten later' },
  ]
  const found = (path: string, text: string) => findings([{ path, text }], excepted).length
  assert.deepEqual([found('demo/products.ts', 'Wall shelf'), found('demo/products.ts', 'a door')], [0, 1])
  assert.deepEqual([found('demo/other.ts', 'Wall shelf'), found('web/texts/a.ts', 'told')], [1, 0])
  assert.deepEqual(needlessExceptions([{ path: 'demo/products.ts', text: 'Wall shelf' }], excepted), [
    'web/texts/ needs no exception',
  ])
})

test('the words left in a folder may only become fewer', () => {
  const found = findings([{ path: 'server/sales/a.ts', text: 'told\ndoor' }])
  assert.deepEqual(allowanceComplaints(found, { 'server/sales': 2 }), [])
  assert.equal(allowanceComplaints(found, { 'server/sales': 1 }).length, 2)
  assert.equal(allowanceComplaints(found, {}).length, 2)
  assert.deepEqual(allowanceComplaints(found, { 'server/sales': 3 }), [
    'server/sales is allowed 3 words and has 2: lower its allowance',
  ])
})

test('no file uses a forbidden word', () => {
  const others = files.filter(({ path }) => !path.includes('/vocabulary.'))
  assert.ok(files.length > 500, `only ${files.length} files were read`)
  assert.deepEqual(allowanceComplaints(findings(files)), [])
  assert.deepEqual(needlessExceptions(files), [])
  const unused = fixedTexts.filter(({ text }) => !others.some((file) => file.text.includes(text)))
  assert.deepEqual(unused, [])
})
