// Many sales that wait for one unknown SKU: assigned by one request, and undone by another.

import assert from 'node:assert/strict'
import { assertState, companyState } from './company-state.ts'
import { broken, cost, level } from './database.ts'
import { given } from './given.ts'
import { shown } from './screens.ts'
import { add, listed, mug, setStatus, shop } from './skipped-lines.ts'

/** Sends one of the two requests. */
type Sending = <T>(request: () => Promise<T>) => Promise<T>

/** `count` sales of two mugs each: new, packed, partially shipped and made to order. */
export async function assignWaitingSales(count: number, sending: Sending = (request) => request()): Promise<void> {
  const { company, tea, cup, user } = await shop()
  for (const item of [tea.id, cup.id])
    await given.stock(company, { item, date: '2026-01-01', amount: '100', unitCost: '2.5' })
  for (let at = 0; at < count; at++) {
    const order_id = await add(company, { production: at % 4 === 3 ? 1 : 0, notes: `Sale ${at}` })
    if (at % 4 === 1) await setStatus(company, order_id, 1)
    if (at % 4 === 2) await user.call('orders/ship_part', { order_id, lines: [{ id: tea.id, amount: 0.25 }] })
  }
  const before = await companyState(company.id)
  const costs = await cost(company, cup.id)
  const answer = await sending(() => shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id }))
  assert.deepEqual([answer.documents, answer.remaining], [count, 0])
  assert.deepEqual(await listed(user), [])
  assert.deepEqual(await level(company, cup.id), { on_hand: '100.000', reserved: `${2 * count}.000` })
  assert.deepEqual(await cost(company, cup.id), costs)
  const { orders } = (await company.call('orders/get_list', { include: ['lines'], limit: 1000 })).body
  for (const { notes, total, cost: ofSale, products } of orders) {
    assert.match(notes, /^Sale \d+$/)
    assert.deepEqual([total, ofSale], [40.5, 7.5])
    assert.deepEqual(
      products.map((line: Record<string, unknown>) => [line['sku'], line['amount'], line['total'], line['cost']]),
      [
        ['TEA', 1, 10, 2.5],
        ['CUP', 2, 30.5, 5],
      ],
    )
  }
  assert.deepEqual(await broken(company.id), [])
  const undone = await sending(() => shown(user, 'skipped_lines/undo', { step: answer.step }))
  assert.equal(undone.documents, count)
  await assertState(company.id, before)
  assert.deepEqual(await broken(company.id), [])
}
