// The backfill of folded texts: the keys of names and codes, which SQL cannot compute. It looks at every row, because servers of an older version change
// names without their keys.

import type pg from 'pg'
import { foldedText } from '../../kernel/folded-text.ts'
import { nameKey } from '../../kernel/natural.ts'

/**
 * Looks at a few rows of the company after a place, and changes those that need it; for values that SQL cannot compute. The place is that where the scan
 * before has ended, `undefined` for the first one; without a next place the company is finished.
 */
export type Scan = (
  client: pg.Client,
  companyId: string,
  after: string | undefined,
  limit: number,
) => Promise<{ readonly changed: number; readonly next: string | undefined }>

/** The column of the folded text of each table, and the text, as SQL. */
const tables = [
  ['items', 'search_key', 'name || codes'],
  ['customers', 'folded_name', 'name'],
  ['suppliers', 'folded_name', 'name'],
] as const

type Row = {
  readonly id: string
  readonly name: string
  readonly name_key: string
  readonly text: string
  readonly folded: string | null
}

/** A place is a table and the last id that was looked at. */
export const foldTexts: Scan = async (client, companyId, after, limit) => {
  const [name = tables[0][0], lastId = '0'] = after?.split(' ') ?? []
  const at = tables.findIndex(([table]) => table === name)
  const [table, column, text] = tables[at] ?? tables[0]
  const { rows } = await client.query<Row>(
    `select id::text, name, name_key, ${text} as text, ${column} as folded from ${table} where company_id = $1 and id > $2 order by id limit $3`,
    [companyId, lastId, limit],
  )
  const wrong = rows
    .map((row) => ({ ...row, rightFolded: foldedText(row.text), rightNameKey: nameKey(row.name) }))
    .filter((row) => row.folded !== row.rightFolded || row.name_key !== row.rightNameKey)
  if (wrong.length > 0)
    await client.query(
      `update ${table} t set ${column} = x.folded, name_key = x.name_key
       from unnest($2::bigint[], $3::text[], $4::text[]) x (id, folded, name_key) where t.company_id = $1 and t.id = x.id`,
      [
        companyId,
        wrong.map(({ id }) => id),
        wrong.map(({ rightFolded }) => rightFolded),
        wrong.map(({ rightNameKey }) => rightNameKey),
      ],
    )
  const codes = table === 'items' ? await foldCodes(client, companyId, rows) : 0
  const next = rows.length === limit ? `${table} ${rows.at(-1)?.id}` : tables[at + 1]?.[0]
  return { changed: wrong.length + codes, next }
}

async function foldCodes(client: pg.Client, companyId: string, items: readonly Row[]): Promise<number> {
  const { rows } = await client.query<{ space: string; code: string; code_key: string | null }>(
    'select space, code, code_key from item_codes where company_id = $1 and item_id = any($2::bigint[])',
    [companyId, items.map(({ id }) => id)],
  )
  const wrong = rows.filter(({ code, code_key: key }) => key !== foldedText(code))
  if (wrong.length > 0)
    await client.query(
      `update item_codes c set code_key = x.code_key from unnest($2::text[], $3::text[], $4::text[]) x (space, code, code_key)
       where c.company_id = $1 and c.space = x.space and c.code = x.code`,
      [
        companyId,
        wrong.map((one) => one.space),
        wrong.map((one) => one.code),
        wrong.map((one) => foldedText(one.code)),
      ],
    )
  return wrong.length
}
