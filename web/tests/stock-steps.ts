// A company whose stock has moved, for the tests of the stock screens.

import { accepted, bought, type Workshop, workshop } from './workshop.ts'

/** Thirty boards since January, four written off in March; a table sold that was never made, two more reserved. */
export async function moved(): Promise<Workshop> {
  const place = await workshop()
  const { owner, table, board } = place
  await bought(place, 30, '2026-01-10')
  await accepted(owner, 'writeoffs/add', { materials: [{ id: board, amount: 14 }], date: '2026-03-05', notes: 'Wet' })
  const sale = (num: string, amount: number) =>
    accepted(owner, 'orders/add', {
      num,
      customer_name: 'Berta Blum',
      date_placed: '2026-03-01',
      products: [{ id: table, amount, total: 249 * amount }],
    })
  const { order_id: shipped } = await sale('1', 1)
  await accepted(owner, 'orders/update_status', { order_id: shipped, status: 3, date_shipped: '2026-03-02' })
  await sale('2', 2)
  return place
}
