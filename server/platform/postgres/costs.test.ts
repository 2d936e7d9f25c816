// Requests that hold a connection long are recognized by company and method.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Costs } from './costs.ts'

function noted(tookMs: readonly number[], costs = new Costs(), companyId = 1): Costs {
  for (const one of tookMs) costs.note(companyId, 'm', one)
  return costs
}

test('a method is unknown until the company has called it', () => {
  const costs = noted([1])
  assert.deepEqual([costs.of(1, 'm'), costs.of(1, 'other'), costs.of(2, 'm')], ['short', 'unknown', 'unknown'])
})

test('a method is long when even its fastest requests are', () => {
  assert.equal(noted([60, 30, 80, 40]).of(1, 'm'), 'long')
})

test('requests that others delay are short as long as some of them are fast', () => {
  const others = Array.from({ length: 500 }, () => 150)
  assert.equal(noted([300, 5, 250, 200, 7, 300], noted(others, new Costs(), 2)).of(1, 'm'), 'short')
  const later = Array.from({ length: 40 }, () => 200)
  assert.equal(noted([5, ...later], noted(others, new Costs(), 2)).of(1, 'm'), 'long', 'but not for ever')
})

test('fast requests between long ones do not hide them, unless all requests take long', () => {
  const mixed = Array.from({ length: 20 }, (_, at) => (at % 4 === 0 ? 2 : 600))
  const others = Array.from({ length: 500 }, () => 5)
  assert.equal(noted(mixed, noted(others, new Costs(), 2)).of(1, 'm'), 'long')
  const slow = Array.from({ length: 500 }, () => 500)
  assert.equal(noted(mixed, noted(slow, new Costs(), 2)).of(1, 'm'), 'short')
})

test('a bounded number of companies is remembered', () => {
  const costs = new Costs()
  for (let companyId = 1; companyId <= 20_001; companyId++) costs.note(companyId, 'm', 1)
  assert.deepEqual([costs.of(1, 'm'), costs.of(2, 'm'), costs.of(20_001, 'm')], ['unknown', 'short', 'short'])
})
