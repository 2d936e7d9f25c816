// What can be read of a company, compared with the model: levels now and on past days, documents, external ids.

import assert from 'node:assert/strict'
import { divide, formatDecimal, toMoney } from '../../../kernel/decimal.ts'
import type { Company } from '../../harness/given.ts'
import { type Connected, must } from './company.ts'
import { cents, money, quantity } from './requests.ts'
import { costOf, type Document, type Level, levels, type State, sections, sum, valueOn } from './state.ts'

type LevelRow = Record<'id' | 'storage_id' | 'amount' | 'reserved' | 'in_transit' | 'cost' | 'total_cost', number>

const isShown = ({ onHand, reserved, transit }: Level): boolean => onHand !== 0n || reserved !== 0n || transit !== 0n

export async function compareLevels(company: Company, state: State): Promise<void> {
  const { stock } = await must(company.call, 'stock/get_list', {})
  const shown = (stock as LevelRow[])
    .filter((row) => row.amount !== 0 || row.reserved !== 0 || row.in_transit !== 0)
    .map((row) => [`${row.id} ${row.storage_id}`, row.amount, row.reserved, row.in_transit, row.cost, row.total_cost])
  const expected = levels(state)
    .filter(isShown)
    .map(({ item, storage, onHand, reserved, transit, transitValue }) => {
      const { average } = costOf(state, item)
      const total = divide(onHand * average + transitValue * 1_000n, 10_000_000n)
      const figures = [quantity(onHand), quantity(reserved), quantity(transit)]
      return [`${item} ${storage}`, ...figures, Number(formatDecimal(average, 6)), money(total)]
    })
  const order = (rows: readonly (readonly unknown[])[]) => rows.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  assert.deepEqual(order(shown), order(expected), 'levels')
}

/** Quantities, goods in transit and values at the end of a past day. The value of an item is divided among its storage locations, each rounded. */
export async function compareDay(company: Company, state: State, day: string): Promise<void> {
  const { stock } = await must(company.call, 'stock/get_list', { date: day })
  const rows = stock as LevelRow[]
  const keys = (list: readonly (readonly [string, ...number[]])[]) => list.toSorted(([a], [b]) => (a < b ? -1 : 1))
  assert.deepEqual(
    keys(
      rows
        .filter((row) => row.amount !== 0 || row.in_transit !== 0)
        .map((row) => [`${row.id} ${row.storage_id}`, row.amount, row.in_transit]),
    ),
    keys(
      levels(state, day)
        .filter(({ onHand, transit }) => onHand !== 0n || transit !== 0n)
        .map(({ item, storage, onHand, transit }) => [`${item} ${storage}`, quantity(onHand), quantity(transit)]),
    ),
    `levels of ${day}`,
  )
  for (const { id } of state.items) {
    const own = rows.filter((row) => row.id === id)
    const shown = sum(own, (row) => cents(row.total_cost)) * 10_000n
    const difference = shown - valueOn(state, id, day)
    // Each row is rounded to the cent.
    const most = 5_000n * BigInt(Math.max(own.length, 1))
    assert.ok(
      difference <= most && difference >= -most,
      `item ${id} is worth ${shown} on ${day}, not ${valueOn(state, id, day)}`,
    )
  }
}

export async function compareDocuments(company: Company, state: State): Promise<void> {
  for (const section of sections) {
    const own = state.documents.filter((document) => document.section === section)
    const answer = await must(company.call, `${section}/get_list`, { include: ['lines'] })
    const rows = answer[section] as (Record<string, number> & { products: LineRow[]; materials: LineRow[] })[]
    assert.deepEqual(
      rows.map(({ id }) => id).toSorted((a = 0, b = 0) => a - b),
      own.map(({ id }) => id).toSorted((a, b) => a - b),
      section,
    )
    for (const document of own) {
      const row = rows.find(({ id }) => id === document.id)
      assert.ok(row !== undefined)
      if (section !== 'writeoffs') assert.equal(row['status'], document.status, `${section} ${document.id}`)
      if (section === 'productions') continue
      assert.deepEqual(
        [...row.products, ...row.materials].map(shownLine),
        document.lines.map(expectedLine),
        `${section} ${document.id}`,
      )
      assert.equal(row['cost'], money(costOfDocument(state, document)), `cost of ${section} ${document.id}`)
    }
  }
}

type LineRow = { id: number; amount?: number; counted?: number; expected?: number; cost: number }
const shownLine = ({ id, amount, counted, expected = 0, cost }: LineRow) => [id, counted ?? amount, expected, cost]
const expectedLine = ({ item, amount, expected, cost }: Document['lines'][number]) => [
  item,
  quantity(amount),
  quantity(expected),
  money(toMoney(cost)),
]

/** That of a sale is summed exactly and rounded once. */
const costOfDocument = ({ fault }: State, { section, lines }: Document): bigint =>
  section === 'orders' && fault !== 'the lines of a sale are rounded one by one'
    ? toMoney(sum(lines, (line) => line.cost))
    : sum(lines, (line) => toMoney(line.cost))

/** Each connection finds its own records by its own external ids, and no others. */
export async function compareExternal({ calls }: Connected, state: State): Promise<void> {
  for (const [by, call] of calls.entries())
    for (const kind of ['product', 'material']) {
      const wanted = [...state.external].filter(([key]) => key.startsWith(`${by} ${kind} `))
      const names = ['G-0', 'G-1', 'G-2', 'N-0', 'N-1']
      const body = { external_ids: names, include: ['meta'] }
      const rows: { id: number; external_id: string; sku: string }[] = (await must(call, `${kind}s/get_list`, body))[
        `${kind}s`
      ]
      assert.deepEqual(
        rows.map(({ id, external_id, sku }) => [external_id, id, sku]).toSorted(),
        wanted
          .map(([key, id]) => [key.slice(`${by} ${kind} `.length), id, state.items.find((item) => item.id === id)?.sku])
          .toSorted(),
        `external ids of connection ${by}`,
      )
    }
}
