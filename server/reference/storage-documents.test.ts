// A storage location cannot be deleted while an open document of any section refers to it, and can be when the document is closed.

import assert from 'node:assert/strict'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, add, entry, refusesDelete, remove } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

type Open = {
  readonly section: string
  readonly idField: string
  /** The fields that refer to a storage location. */
  readonly fields: readonly string[]
  readonly openStatuses: readonly number[]
  readonly body: (company: Company, product: number) => object
}

const line = (id: number) => [{ id, amount: 1, total: 1 }]
const others = (company: Company) => ({
  storage_from_id: company.productsStorageId,
  storage_to_id: company.materialsStorageId,
})

const documents: readonly Open[] = [
  {
    section: 'purchases',
    idField: 'purchase_id',
    fields: ['products_storage_id', 'materials_storage_id'],
    openStatuses: [0, 1],
    body: (_company, id) => ({ supplier_name: 'Ann', products: line(id) }),
  },
  {
    section: 'productions',
    idField: 'production_id',
    fields: ['products_storage_id', 'materials_storage_id'],
    openStatuses: [0, 1],
    body: (_company, id) => ({ products: line(id) }),
  },
  {
    section: 'transfers',
    idField: 'transfer_id',
    fields: ['storage_from_id', 'storage_to_id'],
    openStatuses: [0, 1],
    body: (company, id) => ({ ...others(company), products: line(id) }),
  },
  {
    section: 'audits',
    idField: 'audit_id',
    fields: ['storage_id'],
    openStatuses: [0],
    body: (_company, id) => ({ products: [{ id, counted: 1 }] }),
  },
]

rule('storages/delete.error.open-document', 'documents of every section', async () => {
  const company = await given.company()
  const board = await add(company, 'materials')
  const product = await add(company, 'products', { components: [{ type: 'material', id: board, amount: 1 }] })
  for (const { section, idField, fields, openStatuses, body } of documents)
    for (const field of fields)
      for (const status of openStatuses) {
        const storage = await add(company, 'storages', { name: `For ${section}` })
        const made = await accepts(company, `${section}/add`, { ...body(company, product), [field]: storage, status })
        await refusesDelete(company, 'storages', storage, 'Storage is in use and cannot be deleted')
        assert.equal((await entry(company, 'storages', storage)).id, storage)
        await accepts(company, `${section}/update_status`, { [idField]: made[idField], status: 4 })
        await remove(company, 'storages', storage)
      }
})
