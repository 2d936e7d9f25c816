// An archive that is damaged, cut, foreign or too new is refused as a whole: the database is as before.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { archiveOf, importArchive, packed, textOf } from '../../test/harness/archives.ts'
import { databaseUrl } from '../../test/harness/database.ts'
import { fullCompany } from '../../test/harness/full-company.ts'
import { readCompanyTables } from '../company-tables.ts'
import { asOwner } from '../owner.ts'
import { trailerBytes } from './compression.ts'
import { ArchiveError } from './format.ts'

const target = 4_242_424_242

let made: Promise<{ readonly archive: Buffer; readonly text: string }> | undefined
async function whole() {
  made ??= fullCompany().then(async ({ company }) => {
    const archive = await archiveOf(databaseUrl(), company.id, { withSecrets: true })
    return { archive, text: textOf(archive) }
  })
  return await made
}

async function rowsOfTarget(): Promise<number> {
  return await asOwner(databaseUrl(), async (client) => {
    let count = 0
    for (const { name } of await readCompanyTables(client))
      count += (await client.query(`select from "${name}" where company_id = $1`, [target])).rowCount ?? 0
    return count
  })
}

async function assertRefused(archive: Buffer, message: RegExp, what: string): Promise<void> {
  await assert.rejects(
    importArchive(databaseUrl(), archive, target),
    (error) => error instanceof ArchiveError && message.test(error.message),
    what,
  )
  assert.equal(await rowsOfTarget(), 0, what)
}

/** With a last line that fits, as somebody would write who changes an archive on purpose. */
function resealed(text: string): string {
  const body = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)
  const rows: Record<string, number> = {}
  let table = ''
  for (const line of body.split('\n').slice(1)) {
    if (line.startsWith('{')) {
      table = JSON.parse(line).table
      rows[table] = 0
    } else if (line !== '') rows[table] = (rows[table] ?? 0) + 1
  }
  return `${body}${JSON.stringify({ end: { rows, sha256: createHash('sha256').update(body).digest('hex') } })}\n`
}

test('an archive that was sealed again and not changed is taken', async () => {
  const { text } = await whole()
  assert.equal(resealed(text), text)
  await asOwner(databaseUrl(), async (client) => {
    const { company_id: id } = await importArchive(databaseUrl(), packed(resealed(text)), 'new')
    assert.ok((await client.query('select from sales where company_id = $1', [id])).rowCount ?? 0)
  })
})

test('what is no archive is refused', async () => {
  const { text } = await whole()
  const notOurs = /^This is not an archive of a company\.$/
  for (const [what, bytes] of [
    ['nothing', Buffer.alloc(0)],
    ['a few bytes', Buffer.from('x')],
    ['text', Buffer.from(text)],
    ['gzip', gzipSync(text)],
    ['zstd of nothing', packed('')],
    ['zstd of something else', packed('name,price\nChair,120\n')],
    ['JSON', packed('{"name":"Chair"}\n{"name":"Table"}\n')],
    ['a line without an end', packed(`{${'x'.repeat(2_000_000)}`)],
    ['random bytes', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 251))],
  ] as const)
    await assertRefused(bytes, notOurs, what)
})

test('an archive that is cut or goes on is refused, wherever that is', async () => {
  const { archive, text } = await whole()
  const end = archive.length - trailerBytes
  const places = [
    1,
    3,
    4,
    20,
    trailerBytes - 1,
    trailerBytes,
    trailerBytes + 1,
    100,
    end >> 1,
    end - 1,
    end,
    archive.length - 1,
  ]
  for (const at of places) await assertRefused(archive.subarray(0, at), /not an archive|incomplete/, `cut at ${at}`)
  for (const [what, more] of [
    ['a byte', Buffer.from('x')],
    ['zeros', Buffer.alloc(70_000)],
    ['another archive', archive],
  ] as const)
    await assertRefused(Buffer.concat([archive, more]), /or something follows it|damaged/, what)
  const lines = text.split('\n')
  for (const at of [1, 2, lines.length >> 1, lines.length - 2])
    await assertRefused(packed(`${lines.slice(0, at).join('\n')}\n`), /incomplete/, `${at} lines`)
  await assertRefused(packed(text.slice(0, -1)), /incomplete/, 'no last line break')
  await assertRefused(packed(`${text}\n`), /something follows/, 'an empty line')
  await assertRefused(packed(`${text}${text}`), /something follows/, 'the text twice')
})

test('a bit that changes is noticed, wherever it is', async () => {
  const { archive } = await whole()
  const places = [0, 2, 5, 6, 30, archive.length >> 2, archive.length >> 1, archive.length - 60, archive.length - 57]
  for (const at of [...places, archive.length - 56, archive.length - 45, archive.length - 36, archive.length - 1]) {
    const bytes = Buffer.from(archive)
    bytes[at] = (bytes[at] ?? 0) ^ 0x10
    await assertRefused(bytes, /^(?:This is not|The archive (?:is|has|was))/, `bit of byte ${at}`)
  }
})

test('a change of the text is noticed: of the header, a table, a row, their order, the end', async () => {
  const { text } = await whole()
  const lines = text.split('\n')
  const at = (start: string) => lines.findIndex((line) => line.startsWith(start))
  const [sales, items] = [at('{"table":"sales"'), at('{"table":"items"')]
  const changed = (change: (copy: string[]) => void): string => {
    const copy = [...lines]
    change(copy)
    return copy.join('\n')
  }
  const replaced = (line: number, from: string | RegExp, to: string) =>
    changed((copy) => {
      copy[line] = (copy[line] ?? '').replace(from, to)
      assert.notEqual(copy[line], lines[line])
    })
  for (const [what, damaged] of [
    ['the header', replaced(0, '"secrets":true', '"secrets":false')],
    ['a value', replaced(sales + 1, /\t(\d)/, '\t9$1')],
    ['a row is missing', changed((copy) => copy.splice(sales + 1, 1))],
    ['a row occurs twice', changed((copy) => copy.splice(sales + 1, 0, copy[sales + 1] ?? ''))],
    ['a row is empty', changed((copy) => copy.splice(sales + 1, 0, ''))],
    ['rows are swapped', changed((copy) => copy.splice(items + 1, 2, copy[items + 2] ?? '', copy[items + 1] ?? ''))],
    ['a table is missing', changed((copy) => copy.splice(sales, 1))],
    ['a table occurs twice', changed((copy) => copy.splice(sales, 0, copy[sales] ?? ''))],
    ['the checksum', replaced(lines.length - 2, /"sha256":"./, '"sha256":"g')],
    ['the counts', replaced(lines.length - 2, /"units":\d/, '"units":9')],
    ['an end that is null', changed((copy) => copy.splice(-2, 1, '{"end":null}'))],
    ['a broken line', changed((copy) => copy.splice(sales, 1, '{"table":'))],
  ] as const)
    await assertRefused(packed(damaged), /^The archive (?:is damaged|has rows of)/, what)
})

test('an archive that was changed on purpose, with the right checksum, is refused where the database or the format says so', async () => {
  const { text } = await whole()
  const lines = text.split('\n')
  const header = JSON.parse(lines[0] ?? '')
  const withHeader = (change: object) => [JSON.stringify({ ...header, ...change }), ...lines.slice(1)].join('\n')
  const sales = lines.findIndex((line) => line.startsWith('{"table":"sales"'))
  const { columns } = JSON.parse(lines[sales] ?? '')
  const withColumns = (names: readonly string[]) =>
    lines.with(sales, JSON.stringify({ table: 'sales', columns: names })).join('\n')
  const sale = (lines[sales + 1] ?? '').split('\t')
  const withValue = (column: string, value: string) =>
    lines.with(sales + 1, sale.with(1 + columns.indexOf(column), value).join('\t')).join('\n')
  const without = (table: string) => {
    const from = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`))
    const to = lines.findIndex((line, place) => place > from && line.startsWith('{'))
    return [...lines.slice(0, from), ...lines.slice(to)].join('\n')
  }
  for (const [what, changed, message] of [
    ['a newer format', withHeader({ format: 2 }), /has format 2; this version of Kontor reads format 1/],
    [
      'a newer schema',
      withHeader({ schema: [...header.schema, '9999_x'] }),
      /newer schema: the database lacks 9999_x\./,
    ],
    ['a company that is no number', withHeader({ company_id: 'x' }), /damaged/],
    ['a schema that is no list', withHeader({ schema: 5 }), /damaged/],
    ['an unknown table', lines.with(sales, '{"table":"pg_authid","columns":[]}').join('\n'), /table "pg_authid"/],
    [
      'a table that is never imported',
      lines.with(sales, '{"table":"sessions","columns":["user_id"]}').join('\n'),
      /table "sessions"/,
    ],
    ['an unknown column', withColumns(['x"; drop table sales; --', ...columns.slice(1)]), /columns of sales/],
    ['the column of the company', withColumns(['company_id', ...columns.slice(1)]), /columns of sales/],
    ['a column twice', withColumns([columns[1], ...columns.slice(1)]), /columns of sales/],
    ['a column too few', withColumns(columns.slice(1)), /rows of sales that cannot be stored/],
    ['a value of another type', withValue('id', 'x'), /rows of sales that cannot be stored/],
    ['a value out of range', withValue('status', '99'), /rows of sales that cannot be stored/],
    ['a customer who does not exist', withValue('customer_id', '99999'), /rows of sales that cannot be stored/],
    ['the end of COPY in a row', withValue('notes', '\\.'), /rows of sales that cannot be stored/],
    ['no company', without('companies'), /rows of \w+ that cannot be stored/],
    ['no clock', without('company_clock'), /0 rows of company_clock instead of one/],
    ['no quota', without('quotas'), /0 rows of quotas instead of one/],
  ] as const)
    await assertRefused(packed(resealed(changed)), message, what)
})

test('an import over a company that exists changes nothing', async () => {
  const { archive, text } = await whole()
  const { company_id: id } = JSON.parse(text.slice(0, text.indexOf('\n')))
  await assert.rejects(importArchive(databaseUrl(), archive, 'same'), new RegExp(`There is a company ${id} already`))
})
