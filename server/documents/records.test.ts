// Common fields of all kinds of documents: numbers, times, ids, storage locations, dates.

import assert from 'node:assert/strict'
import {
  addDocument,
  deleteDocument,
  described,
  documentOf,
  documentSections,
  editDocument,
  idOf,
  lineOf,
  listed,
  missing,
  setStatus,
} from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { isoTime, noRecords, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { onSomeToday } from '../test/harness/sold.ts'

/** Every method of a section that takes an id, with a body that is valid except for the id. */
const bodies = (section: (typeof documentSections)[number]): [path: string, body: object][] => [
  [`${section}/edit`, { notes: 'x' }],
  [`${section}/delete`, {}],
  [`${section}/get_entry`, {}],
  ...(section === 'writeoffs' ? [] : [[`${section}/update_status`, { status: 3 }] as [string, object]]),
  ...(section === 'purchases' ? [[`${section}/update_payment`, { status: 1 }] as [string, object]] : []),
]

rule('documents.number.sequence', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const numbers = []
    for (let made = 0; made < 11; made++)
      numbers.push((await documentOf(company, section, await addDocument(company, section))).num)
    const { prefix } = described[section]
    assert.deepEqual(
      numbers,
      Array.from({ length: 11 }, (_, at) => `${prefix}${at + 1}`),
    )
  }
})

rule('documents.number.given', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const id = await addDocument(company, section, { num: ' 2025/7 ' })
    assert.equal((await documentOf(company, section, id)).num, '2025/7')
    await editDocument(company, section, id, { num: 77 })
    assert.equal((await documentOf(company, section, id)).num, '77')
    await editDocument(company, section, id, { notes: 'x' })
    assert.equal((await documentOf(company, section, id)).num, '77')
  }
})

rule('documents.number.company', async () => {
  const companies = [await given.company(), await given.company()]
  for (const section of documentSections)
    for (const company of companies) {
      const id = await addDocument(company, section)
      assert.equal((await documentOf(company, section, id)).num, `${described[section].prefix}1`)
    }
})

rule('documents.record.times', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const id = await addDocument(company, section)
    const before = await documentOf(company, section, id)
    assert.match(before.created_at, isoTime)
    assert.equal(before.updated_at, before.created_at)
    await editDocument(company, section, id, { notes: 'x' })
    const after = await documentOf(company, section, id)
    assert.equal(after.created_at, before.created_at)
    assert.ok(after.updated_at > before.updated_at)
    if (section === 'writeoffs') continue
    await setStatus(company, section, id, 4)
    assert.ok((await documentOf(company, section, id)).updated_at > after.updated_at)
  }
})

rule('documents.record.source', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const id = await addDocument(company, section, { source: 'manual' })
    assert.equal((await documentOf(company, section, id)).source, 'api')
  }
})

rule('documents.missing.own', async () => {
  const [company, other] = [await given.company(), await given.company()]
  for (const section of documentSections) {
    // The other company has more documents, so that its last id does not exist in this company.
    await addDocument(other, section)
    const foreign = await addDocument(other, section)
    const before = await documentOf(other, section, foreign)
    for (const id of [foreign, ...noRecords])
      for (const [path, body] of bodies(section))
        await refuses(company, path, { ...body, [idOf(section)]: id }, missing(section))
    assert.deepEqual(await documentOf(other, section, foreign), before)
  }
})

rule('documents.missing.no-id', async () => {
  const company = await given.company()
  for (const section of documentSections)
    for (const [path, body] of bodies(section))
      for (const id of [{}, { [idOf(section)]: null }, { [idOf(section)]: '' }])
        await refuses(company, path, { ...body, ...id }, `No ${idOf(section)} in input`)
})

rule('documents.missing.deleted', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const [gone, left] = [await addDocument(company, section), await addDocument(company, section)]
    await deleteDocument(company, section, gone)
    for (const [path, body] of bodies(section))
      await refuses(company, path, { ...body, [idOf(section)]: gone }, missing(section))
    const found = await listed(company, section)
    assert.deepEqual(found.map((one) => one.id), [left]) // biome-ignore format: one thought
    assert.deepEqual(await listed(company, section, { ids: [gone] }), [])
  }
})

const storageFields = {
  purchases: ['products_storage_id', 'materials_storage_id'],
  writeoffs: ['products_storage_id', 'materials_storage_id'],
  transfers: ['storage_from_id', 'storage_to_id'],
  audits: ['storage_id'],
} as const

rule('documents.storage.not-set', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  for (const section of documentSections) {
    const body = { ...described[section].needed(company), products: [lineOf(section, { id: item })] }
    const id = await addDocument(company, section)
    for (const field of storageFields[section])
      for (const empty of [null, '', 0]) {
        await refuses(company, `${section}/add`, { ...body, [field]: empty }, 'Storage ID is not set')
        await refuses(company, `${section}/edit`, { [idOf(section)]: id, [field]: empty }, 'Storage ID is not set')
      }
  }
})

rule('documents.storage.not-found', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const { id: gone } = await given.storage(company, 'Gone')
  await given.deleted(company, 'storage', gone)
  for (const section of documentSections) {
    const body = { ...described[section].needed(company), products: [lineOf(section, { id: item })] }
    const id = await addDocument(company, section)
    for (const field of storageFields[section])
      for (const unknown of [gone, 987_654, -1, 'x', 1.5, true]) {
        await refuses(company, `${section}/add`, { ...body, [field]: unknown }, 'Storage ID not found')
        await refuses(company, `${section}/edit`, { [idOf(section)]: id, [field]: unknown }, 'Storage ID not found')
      }
  }
})

const dateFields = {
  purchases: ['date_placed', 'date_received'],
  writeoffs: ['date'],
  transfers: ['date', 'date_received'],
  audits: ['date'],
} as const

rule('documents.date.invalid', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const error = 'Date is not a valid date in format YYYY-MM-DD'
  for (const section of documentSections) {
    const body = { ...described[section].needed(company), products: [lineOf(section, { id: item })] }
    const id = await addDocument(company, section)
    for (const field of dateFields[section])
      for (const bad of ['2025-02-30', '01.02.2025', '2025-1-1', '0000-01-01', 20250101, true, [], {}]) {
        await refuses(company, `${section}/add`, { ...body, [field]: bad }, error)
        await refuses(company, `${section}/edit`, { [idOf(section)]: id, [field]: bad }, error)
      }
  }
})

rule('documents.date.invalid', 'passed with a status', async () => {
  const company = await given.company()
  for (const section of ['purchases', 'transfers'] as const) {
    const body = { [idOf(section)]: await addDocument(company, section), status: 3, date_received: '2025-02-30' }
    await refuses(company, `${section}/update_status`, body, 'Date is not a valid date in format YYYY-MM-DD')
  }
})

rule('documents.date.never-empty', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const error = 'Date is not a valid date in format YYYY-MM-DD'
  for (const section of documentSections) {
    const body = { ...described[section].needed(company), products: [lineOf(section, { id: item })] }
    const id = await addDocument(company, section)
    for (const field of dateFields[section]) {
      await refuses(company, `${section}/add`, { ...body, [field]: '' }, error)
      await refuses(company, `${section}/edit`, { [idOf(section)]: id, [field]: '' }, error)
      await editDocument(company, section, id, { [field]: null })
    }
  }
  for (const section of ['purchases', 'transfers'] as const) {
    const body = { [idOf(section)]: await addDocument(company, section), status: 3, date_received: '' }
    await refuses(company, `${section}/update_status`, body, error)
  }
})

rule('documents.date.default', async () => {
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const company = await given.company({ timezone })
    for (const section of documentSections) {
      let id = 0
      const todays = await onSomeToday(timezone, async () => {
        id = await addDocument(company, section)
      })
      assert.ok(todays.includes((await documentOf(company, section, id))[described[section].date]))
    }
  }
})
