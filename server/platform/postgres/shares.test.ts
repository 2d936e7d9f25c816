// Connections are shared so that companies with long requests leave some to the others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followUp, noCompany, Shares } from './shares.ts'

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

test('one company has at most half, and the last connections are for companies that have none', () => {
  const { shares, takeAll } = play(20)
  assert.equal(takeAll(1), 10)
  assert.equal(takeAll(2), 8)
  assert.deepEqual([shares.mayHave(2), shares.mayHave(3)], [false, true])
  for (const companyId of [3, 4]) assert.equal(takeAll(companyId), 1)
  assert.equal(shares.mayHave(noCompany), true, 'the server’s own statements')
})

test('when all connections are free, every request may have one, however few there are', () => {
  for (const size of [1, 2, 3, 4, 8, 20]) {
    const { shares, pass } = play(size, Math.max(1, Math.floor(size / 2)))
    shares.take(1)
    pass(60_000)
    shares.giveBack(1)
    assert.ok(shares.isHeavy(1))
    for (const companyId of [1, 2, followUp])
      for (const cost of ['short', 'unknown', 'long'] as const)
        assert.ok(shares.mayHave(companyId, cost), `a ${cost} request of company ${companyId}, connections: ${size}`)
  }
})

test('ten companies that have used much leave a quarter to one that has not', () => {
  const { shares, pass } = play(20)
  const heavy = Array.from({ length: 10 }, (_, at) => at + 1)
  for (const companyId of heavy) shares.take(companyId)
  pass(6_000)
  for (const companyId of heavy) shares.giveBack(companyId)
  assert.ok(heavy.every((companyId) => shares.isHeavy(companyId)))
  let all = 0
  for (let round = 0; round < 10; round++)
    for (const companyId of heavy)
      if (shares.mayHave(companyId)) {
        shares.take(companyId)
        all++
      }
  assert.equal(all, 15)
  assert.equal(shares.mayHave(99), true)
})

test('a company is not heavy beside one that uses more than twice as much', () => {
  const { shares, pass } = play(20)
  for (let n = 0; n < 6; n++) shares.take(1)
  for (let n = 0; n < 2; n++) shares.take(2)
  pass(5_000)
  assert.deepEqual([shares.isHeavy(1), shares.isHeavy(2)], [true, false])
})

test('requests that take long have three eighths, of however many companies, and nothing of the last quarter', () => {
  const { shares } = play(8)
  for (const companyId of [1, 2, 3]) {
    assert.equal(shares.mayHave(companyId, 'long'), true)
    shares.take(companyId, 'long')
  }
  assert.deepEqual([shares.mayHave(4, 'long'), shares.mayHave(4, 'unknown')], [false, true])
  shares.take(4, 'unknown')
  assert.equal(shares.mayHave(5, 'unknown'), false, 'those of unknown cost have one more, together with the long ones')
  for (const companyId of [5, 6]) shares.take(companyId)
  assert.deepEqual([shares.mayHave(7, 'unknown'), shares.mayHave(7, 'short')], [false, true])
  shares.giveBack(3, 'long')
  assert.equal(shares.mayHave(8, 'long'), true)
})

test('while short requests use all other connections, one that may be long still runs', () => {
  for (const cost of ['unknown', 'long'] as const) {
    const { shares } = play(8)
    for (const companyId of [1, 2, 3, 4, 5, 6, 7]) shares.take(companyId)
    assert.equal(shares.mayHave(8, cost), true)
    shares.giveBack(7)
    shares.take(8, cost)
    assert.deepEqual([shares.mayHave(9, cost), shares.mayHave(9)], [false, true])
  }
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
