// Which facts statement a request uses: one that does all its look-ups, and no more than needed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LineInput } from './lines.ts'
import {
  declareByLookUps,
  lookUpsOf,
  lookUpsOfMaking,
  lookUpsOfNew,
  lookUpsOfPresent,
  usualLookUps,
} from './look-ups.ts'

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
  assert.equal(name({ lines: [line({ id: 1 }), line({ externalId: 'a' })], party: { id: 2 } }), 'test_new.external')
  assert.equal(
    name({ lines: [line({ id: 1 })], party: { externalId: 'a', name: undefined, contact } }),
    'test_new.external',
  )
})

test('a change of a document names nothing, items, or anything', () => {
  const name = (named: Parameters<typeof lookUpsOf>[0]) => ofPresent(lookUpsOf(named))(values).name
  assert.equal(name({}), 'test_present')
  assert.equal(name({ lines: [line({ id: 1 })] }), 'test_present.items')
  assert.equal(name({ lines: [line({ sku: 'A' })] }), 'test_present.items')
  assert.equal(name({ party: { id: 1 } }), 'test_present.all')
  assert.equal(name({ storages: [4] }), 'test_present.all')
  assert.equal(name({ lines: [line({ externalId: 'a' })] }), 'test_present.external')
})

test('a document that may order a production names anything, or also external ids', () => {
  const making = declareByLookUps<never, typeof values>('test_making', lookUpsOfMaking, () => 'select :company_id')
  const name = (named: Parameters<typeof lookUpsOf>[0]) => making(lookUpsOf(named))(values).name
  assert.equal(name({}), 'test_making')
  assert.equal(name({ lines: [line({ sku: 'A' })], party: { id: 1 }, storages: [4] }), 'test_making')
  assert.equal(name({ lines: [line({ externalId: 'a' })] }), 'test_making.external')
})

test('look-ups that no statement does are an error', () => {
  const some = declareByLookUps<never, typeof values>('test_some', [['', usualLookUps]], () => 'select :company_id')
  assert.throws(() => some(lookUpsOf({ lines: [line({ externalId: 'a' })] })), /no statement test_some looks up/)
})
