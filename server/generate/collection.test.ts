// The collection for Postman and Bruno has every public method, and a server answers its requests as they are.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { methods } from '../methods.ts'
import { url } from '../test/harness/app.ts'
import { query } from '../test/harness/database.ts'
import { given } from '../test/harness/given.ts'

type Item = {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly header: readonly { readonly key: string; readonly value: string }[]
    readonly url: { readonly raw: string; readonly host: readonly string[]; readonly path: readonly string[] }
    readonly body: { readonly raw: string }
  }
}

type Collection = {
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[]
  readonly variable: readonly { readonly key: string; readonly value: string }[]
}

const { item: folders, variable }: Collection = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/kontor.postman_collection.json'), 'utf8'),
)

test('every public method is a request in the folder of its section', () => {
  assert.deepEqual(
    folders.flatMap(({ name, item }) => item.map((one) => `${name}/${one.name}`)).toSorted(),
    methods
      .filter(({ api }) => api === 'public')
      .map(({ path }) => path)
      .toSorted(),
  )
})

test('the server answers every request of the collection, and running it as it is changes and deletes nothing', async () => {
  const company = await given.company({ materials_in_sales: true })
  const filled = (text: string): string =>
    text
      .replace('{{baseUrl}}', url())
      .replace('{{apiKey}}', company.key)
      .replace('{{$guid}}', randomUUID())
      .replace('{{dryRun}}', variable.find(({ key }) => key === 'dryRun')?.value ?? '')
  await given.sale(company)
  const before = await clockOf(company.id)
  for (const { name, item } of folders)
    for (const { name: method, request } of item) {
      const headers = Object.fromEntries(request.header.map(({ key, value }) => [key, filled(value)]))
      assert.equal([...request.url.host, ...request.url.path].join('/'), request.url.raw)
      const response = await fetch(filled(request.url.raw), { method: request.method, headers, body: request.body.raw })
      const { success, error } = (await response.json()) as { success: boolean; error?: string }
      // Examples name records that a new company does not have, or cannot lose.
      const isFine = success || (response.status === 400 && /not found|SKU|cannot be deleted/.test(error ?? ''))
      assert.ok(isFine, `${name}/${method}: ${response.status} ${error}`)
      const writes = methods.find(({ path }) => path === `${name}/${method}`)?.kind === 'write'
      assert.equal('Idempotency-Key' in headers, writes)
      assert.equal(headers['Kontor-Dry-Run'], writes ? 'true' : undefined)
    }
  assert.deepEqual(await clockOf(company.id), before)
})

/** Changes with every write. */
const clockOf = (companyId: number) =>
  query(companyId, 'select seq from company_clock where company_id = $1', [companyId])
