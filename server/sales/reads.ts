// Reading sales: one of them, a page of them, all of them.

import { isDate } from '../kernel/field.ts'
import { statement } from '../kernel/statement.ts'
import { listedBetween, listStart, listTotal } from '../platform/list-runs.ts'
import { list } from './sale.ts'
import { saleJoins, saleJson, saleWithLinesJson } from './view.ts'

export type Period = { readonly from: string | undefined; readonly to: string | undefined }

export const findSale = statement<{ sale: string }>(
  'sales.find',
  `select ${saleWithLinesJson} as sale from sales s ${saleJoins} where s.company_id = $1 and s.id = $2`,
)

export type PageRow = { readonly total: number; readonly sales: string }

// Company $1, from $2, to $3, limit $4, offset $5. The rows of the page are cut out first and joined afterwards.
const page = (cut: string): string => `
  select ${listTotal(list, '$2', '$3')} as total, (
    select coalesce(string_agg(${saleJson}, ',' order by s.listed, s.num_key, s.id), '') from (${cut}) s ${saleJoins}
  ) as sales`

const inOrder = 'order by o.listed, o.num_key, o.id'
const between = `o.company_id = $1 and ${listedBetween('o.listed', '$2', '$3')}`

export const findFirstPage = statement<PageRow>(
  'sales.first_page',
  page(`select o.* from sales o where ${between} ${inOrder} limit $4`),
)

export const findPage = statement<PageRow>(
  'sales.page',
  `with start as materialized ${listStart(list, '$2', '$3', '$5')}
   ${page(`
     select o.* from sales o
     where ${between} and (o.listed, o.num_key, o.id) >=
       ((select t.listed from start t), (select t.from_key from start t), (select t.from_id from start t))
     ${inOrder} offset coalesce((select t.skip from start t), 0) limit $4`)}`,
)

/** COPY takes no parameters: the id is an integer of ours and the days have been checked, once more here. */
export function allSales(companyId: number, { from, to }: Period): string {
  const day = (text: string | undefined): string => {
    if (text === undefined) return 'null'
    if (!isDate(text)) throw new Error('not a day')
    return `'${text}'`
  }
  return `select ',' || ${saleJson} from sales s ${saleJoins}
    where s.company_id = ${Math.trunc(companyId)} and ${listedBetween('s.listed', day(from), day(to))}
    order by s.listed, s.num_key, s.id`
}
