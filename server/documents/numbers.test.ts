// The sequences of document numbers beside numbers that were given.

import assert from 'node:assert/strict'
import { query } from '../test/harness/database.ts'
import { addDocument, described, documentOf, documentSections } from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { accepts } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

rule('documents.number.taken', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const { prefix } = described[section]
    const number = async (body: Record<string, unknown> = {}): Promise<string> =>
      (await documentOf(company, section, await addDocument(company, section, body))).num
    await number({ num: `${prefix}2` })
    await number({ num: `${prefix}3` })
    await number({ num: `${prefix}7` })
    await number({ num: `${prefix}05` })
    const made = []
    for (let count = 0; count < 5; count++) made.push(await number())
    assert.deepEqual(
      made,
      [1, 4, 5, 6, 8].map((one) => `${prefix}${one}`),
    )
  }
})

rule('documents.number.taken', 'in concurrent requests', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const add = (num?: string) =>
    accepts(company, 'writeoffs/add', { products: [{ id: item, amount: 1 }], ...(num === undefined ? {} : { num }) })
  await Promise.all(['W-2', 'W-4', 'W-5', 'W-9'].map(add))
  await Promise.all(Array.from({ length: 8 }, () => add()))
  const { writeoffs } = await accepts(company, 'writeoffs/get_list')
  const numbers = writeoffs.map((one: { num: string }) => one.num)
  assert.deepEqual(numbers.toSorted(), Array.from({ length: 12 }, (_, at) => `W-${at + 1}`).toSorted())
})

rule('documents.number.taken', 'also a long row of them', async () => {
  const company = await given.company()
  const id = await addDocument(company, 'writeoffs', { num: 'W-1' })
  await query(
    company.id,
    `insert into writeoffs (company_id, id, num, num_key, date, products_storage_id, materials_storage_id, cost, lines, source, created_at, updated_at)
     select company_id, id + n, 'W-' || n, num_key, date, products_storage_id, materials_storage_id, cost, lines, source, created_at, updated_at
     from writeoffs, generate_series(2, 1500) n where company_id = $1 and id = $2`,
    [company.id, id],
  )
  await query(company.id, 'update company_clock set last_writeoff_id = 2000 where company_id = $1', [company.id])
  const made = new Set<string>()
  for (let count = 0; count < 3; count++)
    made.add((await documentOf(company, 'writeoffs', await addDocument(company, 'writeoffs'))).num)
  assert.equal(made.size, 3)
  for (const num of made) assert.ok(Number(num.slice(2)) > 1_500 && Number(num.slice(2)) < 4_000, num)
})
