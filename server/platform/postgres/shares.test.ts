// Connections are shared so that companies with long requests leave some to the others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noCompany, Shares } from './shares.ts'

function play(size: number, maxOfCompany = size / 2) {
  let nowMs = 0
  const shares = new Shares(size, maxOfCompany, () => nowMs)
  /** Takes as many as it may have. */
  const takeAll = (companyId: number): number => {
    let taken = 0
    for (; shares.mayHave(companyId); taken++) shares.take(companyId)
    return taken
  }
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { shares, takeAll, pass }
}

test('one company has at most half, and two together leave a quarter to companies that have none', () => {
  const { shares, takeAll } = play(20)
  assert.equal(takeAll(1), 10)
  assert.equal(takeAll(2), 5)
  assert.deepEqual([shares.mayHave(2), shares.mayHave(3)], [false, true])
  for (const companyId of [3, 4, 5, 6, 7]) assert.equal(takeAll(companyId), 1)
  assert.equal(shares.mayHave(noCompany), true, 'the server’s own statements')
})

test('ten companies that have used much leave a quarter to one that has not', () => {
  const { shares, takeAll, pass } = play(20)
  const heavy = Array.from({ length: 10 }, (_, at) => at + 1)
  const taken = heavy.map((companyId) => takeAll(companyId))
  pass(6_000)
  for (const [at, count] of taken.entries()) for (let n = 0; n < count; n++) shares.giveBack(at + 1)
  assert.ok(heavy.filter((companyId) => shares.isHeavy(companyId)).length >= 5)
  let all = 0
  for (const companyId of heavy.filter((one) => shares.isHeavy(one))) all += takeAll(companyId)
  assert.equal(all, 15)
  assert.equal(shares.mayHave(99), true)
})

test('what was used is forgotten after a while', () => {
  const { shares, pass } = play(8)
  shares.take(1)
  pass(20_000)
  assert.equal(shares.isHeavy(1), true, 'a connection that it still has counts')
  shares.giveBack(1)
  assert.equal(shares.isHeavy(1), true)
  pass(20_000)
  assert.equal(shares.isHeavy(1), false)
})

test('short requests, however many, are no heavy use', () => {
  const { shares, pass } = play(8)
  for (let request = 0; request < 5_000; request++) {
    shares.take(1)
    pass(2)
    shares.giveBack(1)
    pass(6)
  }
  assert.equal(shares.isHeavy(1), false)
})
