// Statuses of documents: which can be set, from which others, and how invalid ones are refused.

import assert from 'node:assert/strict'
import {
  addDocument,
  described,
  documentOf,
  idOf,
  lineOf,
  setStatus,
  withStatus,
} from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { accepts, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

rule('documents.status.settable', async () => {
  const company = await given.company()
  for (const section of withStatus)
    for (const status of described[section].statuses) {
      const id = await addDocument(company, section, { status: String(status) })
      assert.equal((await documentOf(company, section, id)).status, status)
    }
})

rule('documents.status.any', async () => {
  const company = await given.company()
  for (const section of withStatus) {
    const { statuses } = described[section]
    const id = await addDocument(company, section, { status: statuses[0] })
    for (const from of statuses)
      for (const to of statuses)
        for (const status of [from, to]) {
          await setStatus(company, section, id, status)
          assert.equal((await documentOf(company, section, id)).status, status)
        }
  }
})

rule('documents.status.invalid', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  for (const section of withStatus) {
    const statuses: readonly number[] = described[section].statuses
    const error = `Invalid status value. Must be one of: ${statuses.join(', ')}`
    const body = { ...described[section].needed(company), products: [lineOf(section, { id: item })] }
    const id = await addDocument(company, section, { status: 0 })
    for (const status of [2, 5, -1, 1.5, 'x', true, [], {}, ...(statuses.includes(1) ? [] : [1])]) {
      await refuses(company, `${section}/add`, { ...body, status }, error)
      await refuses(company, `${section}/update_status`, { [idOf(section)]: id, status }, error)
    }
    assert.equal((await accepts(company, `${section}/get_list`)).total, 1)
  }
})

rule('documents.status.none', async () => {
  const company = await given.company()
  for (const section of withStatus) {
    const id = await addDocument(company, section)
    for (const more of [{}, { status: null }, { status: '' }])
      await refuses(company, `${section}/update_status`, { [idOf(section)]: id, ...more }, 'No status in input')
  }
})

rule('documents.status.none', 'an empty string counts as passed without a status', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  for (const section of withStatus) {
    const body = { ...described[section].needed(company), products: [lineOf(section, { id: item })] }
    for (const status of ['', ' ', '\u00a0']) {
      await refuses(company, `${section}/add`, { ...body, status }, 'No status in input')
      await refuses(company, `${section}/get_list`, { status }, 'No status in input')
    }
    assert.equal((await accepts(company, `${section}/get_list`, { status: null })).total, 0)
  }
})
