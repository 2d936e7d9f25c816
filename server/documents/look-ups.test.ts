// Which facts statement a request uses: one that does all its look-ups, and no more than needed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LineInput } from './lines.ts'
import { allLookUps, declareByLookUps, lookUpsOf, lookUpsOfNew, lookUpsOfPresent } from './look-ups.ts'

const line = (named: LineInput['named']): LineInput => ({ named }) as LineInput
const values = { company_id: 1 }
const ofNew = declareByLookUps<never, typeof values>('test_new', lookUpsOfNew(true), () => 'select :company_id')
const ofPresent = declareByLookUps<never, typeof values>('test_present', lookUpsOfPresent, () => 'select :company_id')

test('a new document is looked up by what its request names', () => {
  const name = (named: Parameters<typeof lookUpsOf>[0]) => ofNew(lookUpsOf(named))(values).name
  const contact = { email: '' } as never
  assert.equal(name({ lines: [line({ id: 1 })], party: { id: 2 } }), 'test_new')
  assert.equal(name({ lines: [line({ id: 1 })], party: { id: 2 }, storages: [undefined, undefined] }), 'test_new')
  assert.equal(name({ lines: [line({ id: 1 })], party: { id: 2 }, storages: [undefined, 3] }), 'test_new.storages')
  assert.equal(name({ lines: [line({ id: 1 })], party: { name: 'A', contact } }), 'test_new.name')
  assert.equal(name({ lines: [line({ id: 1 }), line({ sku: 'A' })], party: { id: 2 } }), 'test_new.codes')
  assert.equal(
    name({ lines: [line({ sku: 'A' })], party: { name: 'A', contact }, storages: [1] }),
    'test_new.codes.name.storages',
  )
})

test('a change of a document names nothing, items, or anything', () => {
  const name = (named: Parameters<typeof lookUpsOf>[0]) => ofPresent(lookUpsOf(named))(values).name
  assert.equal(name({}), 'test_present')
  assert.equal(name({ lines: [line({ id: 1 })] }), 'test_present.items')
  assert.equal(name({ lines: [line({ sku: 'A' })] }), 'test_present.items')
  assert.equal(name({ party: { id: 1 } }), 'test_present.all')
  assert.equal(name({ storages: [4] }), 'test_present.all')
})

test('look-ups that no statement does are an error', () => {
  const some = declareByLookUps<never, typeof values>('test_some', lookUpsOfNew(false), () => 'select :company_id')
  assert.throws(() => some(allLookUps), /no statement test_some looks up/)
})
