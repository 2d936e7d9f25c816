// An import as a cluster needs it, on one PostgreSQL: the same rows, sent as values.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { archiveOf, brokenAt, rowsOf, scratchDatabase } from '../../test/harness/archives.ts'
import { fullCompany } from '../../test/harness/full-company.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { asOwner } from '../owner.ts'
import { importCompany } from './import.ts'

const database = ownedDatabase()

test('rows that are sent as values are those of the archive, also with quotes, backslashes, bytes and missing values', async (context) => {
  const { company } = await fullCompany()
  const customer = { name: `O'Neil \\ "Sons" \\N`, notes: 'a\tb\n\\. {x} \u{1F4E6}' }
  assert.equal((await company.call('customers/add', customer)).status, 200)
  const archive = await archiveOf(database.url, company.id, { withSecrets: true })
  const [copied, sent] = [await scratchDatabase(context, database), await scratchDatabase(context, database)]
  const into = (url: string, asValues: boolean) =>
    asOwner(url, (client) => importCompany(client, Readable.from([archive]), 'same', { asValues }))
  const { rows: loaded } = await into(copied, false)
  assert.deepEqual((await into(sent, true)).rows, loaded)
  const [wanted, found] = [await rowsOf(copied, company.id), await rowsOf(sent, company.id)]
  // Each import begins an epoch of its own.
  const differing = [...wanted.keys()].filter(
    (table) => JSON.stringify(wanted.get(table)) !== JSON.stringify(found.get(table)),
  )
  const own = new Set(['company_clock', 'events', 'mails', 'users', 'webhook_endpoints'])
  assert.deepEqual(
    differing.filter((table) => !own.has(table)),
    [],
  )
  for (const table of own) assert.equal(found.get(table)?.length, wanted.get(table)?.length, table)
  assert.deepEqual(await brokenAt(sent, company.id), [])
})
