// Who gets a connection of the pool next, while all are in use.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl } from '../../test/harness/database.ts'
import { closeDatabase, openDatabase, type Pool } from './database.ts'

/** Work that ends when it is released. */
class Holder {
  readonly #released = Promise.withResolvers<void>()
  readonly #started = Promise.withResolvers<void>()
  readonly started = this.#started.promise
  readonly ended: Promise<void>

  constructor(use: (work: () => Promise<void>) => Promise<void>) {
    this.ended = use(async () => {
      this.#started.resolve()
      await this.#released.promise
    })
  }

  async release(): Promise<void> {
    this.#released.resolve()
    await this.ended
  }
}

async function withPool(connections: number, check: (pool: Pool) => Promise<void>): Promise<void> {
  const database = openDatabase(databaseUrl(), { connections, streams: 1 })
  try {
    await check(database.pool)
  } finally {
    await closeDatabase(database)
  }
}

const hold = (pool: Pool, companyId: number): Holder => new Holder((work) => pool.useFor(companyId, work))
const holdUnknown = (pool: Pool, companyId: number): Holder =>
  new Holder((work) => pool.useFor(companyId, work, { method: 'public orders/edit' }))
const holdFollowUp = (pool: Pool): Holder => new Holder((work) => pool.useForFollowUp(work))

test('what follows from requests gets the next free connection, before requests that waited longer', () =>
  withPool(2, async (pool) => {
    const [first, second] = [hold(pool, 1), hold(pool, 2)]
    await Promise.all([first.started, second.started])
    const order: string[] = []
    const request = pool.useFor(3, async () => void order.push('request'))
    const followUp = pool.useForFollowUp(async () => void order.push('follow-up'))
    await first.release()
    await Promise.all([request, followUp])
    assert.deepEqual(order, ['follow-up', 'request'])
    await second.release()
  }))

test('what follows from requests never has more than a quarter of the connections', () =>
  withPool(8, async (pool) => {
    const [first, second] = [holdFollowUp(pool), holdFollowUp(pool)]
    await Promise.all([first.started, second.started])
    let isThirdStarted = false
    const third = pool.useForFollowUp(async () => {
      isThirdStarted = true
    })
    // Six connections are free, and requests get them.
    await Promise.all([1, 2, 3, 4, 5, 6].map((companyId) => pool.useFor(companyId, async () => {})))
    assert.equal(isThirdStarted, false)
    await first.release()
    await third
    await second.release()
  }))

test('requests of unknown cost that have waited leave the last quarter to short ones', () =>
  withPool(8, async (pool) => {
    const short = [1, 2, 3, 4, 5, 6, 7, 8].map((companyId) => hold(pool, companyId))
    await Promise.all(short.map((one) => one.started))
    const started: number[] = []
    const unknown = [11, 12, 13].map((companyId) => {
      const one = holdUnknown(pool, companyId)
      void one.started.then(() => started.push(companyId))
      return one
    })
    await Promise.all(short.slice(0, 3).map((one) => one.release()))
    const last = [14, 15].map((companyId) => hold(pool, companyId))
    await Promise.all(last.map((one) => one.started))
    assert.deepEqual(started, [11])
    await Promise.all([...short.slice(3), ...last].map((one) => one.release()))
    await Promise.all(unknown.map((one) => one.release()))
  }))

test('a company that has used much is served in its turn, also while others that have used less wait', () =>
  withPool(1, async (pool) => {
    await pool.useFor(1, (connection) => connection.roundTrip(['select 1']))
    const last = hold(pool, 9)
    await last.started
    const order: number[] = []
    const waiting = [1, 2, 3, 4, 5, 6].map((companyId) =>
      pool.useFor(companyId, async () => void order.push(companyId)),
    )
    await last.release()
    await Promise.all(waiting)
    assert.deepEqual(order, [2, 3, 4, 1, 5, 6])
  }))
