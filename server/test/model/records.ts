// Compares data that the API does not return, read from the database, with the model.

import assert from 'node:assert/strict'
import { quantityText, valueText } from '../../kernel/decimal.ts'
import { query } from '../harness/database.ts'
import type { Company } from '../harness/given.ts'
import { type Sale, type State, sum } from './state.ts'
import { levels } from './stock.ts'

/** Levels, issued quantities by day, costs, productions, customers. */
export async function compareRecords(company: Company, state: State): Promise<void> {
  const read = async (sql: string) => {
    const rows = await query(company.id, sql, [company.id])
    return rows.map((row) => Object.values(row).map(String).join(' ')).sort()
  }
  assert.deepEqual(
    await read(
      'select storage_id, item_id, on_hand, reserved from stock_levels where company_id = $1 and (on_hand, reserved) <> (0, 0)',
    ),
    levels(state)
      .map(
        ({ storage, item, on_hand, reserved }) =>
          `${storage} ${item} ${quantityText(on_hand)} ${quantityText(reserved)}`,
      )
      .sort(),
    'levels',
  )
  assert.deepEqual(
    await read(
      `select document_id, storage_id, item_id, date::text, -sum(on_hand) as amount, -sum(value) as value
        from stock_movements where company_id = $1 and section = 'sales' and kind = 'move'
        group by document_id, storage_id, item_id, date having sum(on_hand) <> 0 or sum(value) <> 0`,
    ),
    state.sales.flatMap(leftByDay).sort(),
    'issued goods',
  )
  assert.deepEqual(
    await read(
      'select item_id, on_hand, value, average from item_costs where company_id = $1 and (on_hand, value, average) <> (0, 0, 0)',
    ),
    Object.entries(state.costs)
      .filter(([, { on_hand, average }]) => on_hand !== 0n || average !== 0n)
      .map(
        ([item, { on_hand, value, average }]) =>
          `${item} ${quantityText(on_hand)} ${valueText(value)} ${valueText(average)}`,
      )
      .sort(),
    'costs',
  )
  assert.deepEqual(
    await read(`select p.num, p.status, p.sale_id, (
        select string_agg(l.item_id || ':' || l.amount, ',' order by l.position) from production_lines l
        where l.company_id = p.company_id and l.production_id = p.id) as lines
      from productions p where p.company_id = $1`),
    state.productions
      .map(({ num, status, sale, lines }) => {
        const shown = lines.map(({ item, amount }) => `${item}:${quantityText(amount)}`).join()
        return `${num} ${status} ${sale} ${shown}`
      })
      .sort(),
    'productions',
  )
  assert.deepEqual(
    await read('select id, name, deleted_at is not null as deleted from customers where company_id = $1'),
    state.customers.map(({ id, name, deleted }) => `${id} ${name} ${deleted}`).sort(),
    'customers',
  )
}

function leftByDay({ id, left }: Sale): string[] {
  const places = Map.groupBy(left, ({ storage, item, date }) => `${id} ${storage} ${item} ${date}`)
  return [...places].map(([place, here]) => {
    const [amount, value] = [sum(here, (one) => one.amount), sum(here, (one) => one.value)]
    return `${place} ${quantityText(amount)} ${valueText(value)}`
  })
}
