// example_data/delete: remove the example data, and name what stays because it was changed or used since.

import { z } from 'zod'
import { Refusal } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { type Created, keyOf, stayingOf, type Use } from './removal.ts'
import { forgetExamples, type Range } from './state.ts'
import { type Asker, requestIdOf, runPlain, runStep } from './steps.ts'

const sections: Readonly<Record<string, readonly [section: string, idField: string]>> = {
  sale: ['orders', 'order_id'],
  purchase: ['purchases', 'purchase_id'],
  production: ['productions', 'production_id'],
  audit: ['audits', 'audit_id'],
  product: ['products', 'product_id'],
  material: ['materials', 'material_id'],
  resource: ['resources', 'resource_id'],
  customer: ['customers', 'customer_id'],
  supplier: ['suppliers', 'supplier_id'],
}

type Row = Created & { readonly name: string | null }

const findRange = statement<Range, { readonly company_id: number }>(
  'example_data.range',
  'select example_from_seq as from_seq, example_to_seq as to_seq from companies where company_id = :company_id',
)

type CreatedValues = {
  readonly company_id: number
  readonly from_seq: number
  readonly to_seq: number
  readonly request_id: string
}

/** The newest first. The name is null if the record was deleted. */
const findCreated = statement<Row, CreatedValues>(
  'example_data.created',
  `select e.record, e.record_id as id,
     exists (select from events t where t.company_id = :company_id and t.record = e.record and t.record_id = e.record_id
       and t.seq > e.seq and t.request_id <> :request_id) as is_touched,
     case e.record
       when 'sale' then (select d.num from sales d where d.company_id = :company_id and d.id = e.record_id)
       when 'purchase' then (select d.num from purchases d where d.company_id = :company_id and d.id = e.record_id)
       when 'production' then (select d.num from productions d where d.company_id = :company_id and d.id = e.record_id)
       when 'audit' then (select d.num from audits d where d.company_id = :company_id and d.id = e.record_id)
       when 'customer' then (select c.name from customers c where c.company_id = :company_id and c.id = e.record_id and c.deleted_at is null)
       when 'supplier' then (select c.name from suppliers c where c.company_id = :company_id and c.id = e.record_id and c.deleted_at is null)
       else (select i.name from items i where i.company_id = :company_id and i.id = e.record_id and i.deleted_at is null)
     end as name
   from events e
   where e.company_id = :company_id and e.seq between :from_seq and :to_seq and e.request_id = :request_id
     and (e.action = 'created' or (e.action is null and e.method like '%/add'))
   order by e.seq desc`,
)

const linesOf = (record: string, table: string, key: string): string =>
  `select '${record}', l.${key}, l.item_id from ${table} l where l.company_id = :company_id and l.item_id = any(:item_ids::bigint[])`

/** Who uses the items and contacts. A document also uses what it moves without having it on a line, such as the components of a production. */
const findUses = statement<
  { readonly uses: readonly Use[] },
  {
    readonly company_id: number
    readonly item_ids: readonly number[]
    readonly customer_ids: readonly number[]
    readonly supplier_ids: readonly number[]
  }
>(
  'example_data.uses',
  `select coalesce(json_agg(json_build_array(u.record, u.id, u.used, u.used_id)), '[]'::json) as uses from (
     select x.record, x.id, i.kind as used, i.id as used_id
     from (
       ${linesOf('sale', 'sale_lines', 'sale_id')}
       union ${linesOf('purchase', 'purchase_lines', 'purchase_id')}
       union ${linesOf('production', 'production_lines', 'production_id')}
       union ${linesOf('writeoff', 'writeoff_lines', 'writeoff_id')}
       union ${linesOf('transfer', 'transfer_lines', 'transfer_id')}
       union ${linesOf('audit', 'audit_lines', 'audit_id')}
       union ${linesOf('quote', 'quote_lines', 'quote_id')}
       union select case m.section when 'sales' then 'sale' else rtrim(m.section, 's') end, m.document_id, m.item_id
         from stock_movements m where m.company_id = :company_id and m.item_id = any(:item_ids::bigint[])
         group by m.section, m.document_id, m.item_id having sum(m.on_hand) <> 0 or sum(m.reserved) <> 0
       union select 'product', p.product_id, p.item_id from components p
         join items o on o.company_id = :company_id and o.id = p.product_id and o.deleted_at is null
         where p.company_id = :company_id and p.item_id = any(:item_ids::bigint[])
     ) x (record, id, item_id)
     join items i on i.company_id = :company_id and i.id = x.item_id
     union select 'sale', d.id, 'customer', d.customer_id from sales d where d.company_id = :company_id and d.customer_id = any(:customer_ids::bigint[])
     union select 'quote', d.id, 'customer', d.customer_id from quotes d where d.company_id = :company_id and d.customer_id = any(:customer_ids::bigint[])
     union select 'purchase', d.id, 'supplier', d.supplier_id from purchases d where d.company_id = :company_id and d.supplier_id = any(:supplier_ids::bigint[])
     union select i.kind, i.id, 'supplier', s.supplier_id from item_suppliers s
       join items i on i.company_id = :company_id and i.id = s.item_id and i.deleted_at is null
       where s.company_id = :company_id and s.supplier_id = any(:supplier_ids::bigint[])
     union select 'production', d.id, 'sale', d.sale_id from productions d where d.company_id = :company_id and d.sale_id is not null
   ) u`,
)

const leftSchema = z.object({
  type: z.string().describe('product, material, resource, customer, supplier, sale, purchase, production or audit.'),
  id: z.int().describe('Its id.'),
  name: z.string().describe('Its name or number.'),
})
type Left = z.infer<typeof leftSchema>

export const deleteExampleData = {
  ...sessionMethod({
    path: 'example_data/delete',
    summary: 'Remove the example data.',
    notes: [
      'Records that somebody has changed or used since stay, with the documents that their stock comes from. They are returned.',
    ],
    needsSession: true,
    input: { schema: z.object({}), read: () => ({}) },
    output: z.object({ left: z.array(leftSchema).describe('The records that stay.') }),
    refusals: [],
    example: { request: {}, response: { success: true, left: [] } },
    run: async (_input, { session, requestId }, services) => {
      if (session === undefined) throw new Error('example_data/delete requires a session')
      const { companyId, userId, settings } = session
      return { response: { left: await remove({ services, companyId, userId, settings }, requestId) } }
    },
  }),
  role: 'manager' as const,
}

async function remove(asker: Asker, requestId: string): Promise<Left[]> {
  const { created, uses, fromSeq } = await found(asker)
  if (fromSeq === undefined) return []
  const staying = stayingOf(created, uses)
  const left: Left[] = []
  for (const { record, id, name } of created) {
    if (name === null) continue
    const isGone = !staying.has(keyOf(record, id)) && (await isRemoved(asker, fromSeq, record, id))
    if (!isGone) left.push({ type: record, id, name })
  }
  await runPlain(asker, forgetExamples, {}, requestId)
  return left.toReversed()
}

/** A record that cannot be deleted by the rules of its method stays. One that is gone already was deleted with another one. */
async function isRemoved(asker: Asker, fromSeq: number, record: string, id: number): Promise<boolean> {
  const [section, idField] = sections[record] ?? []
  if (section === undefined || idField === undefined) return false
  try {
    await runStep(asker, fromSeq, `${section}/delete`, { [idField]: id })
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.detail.code === 'record_not_found' || error.detail.code === 'order_not_found'
  }
}

async function found({ services, companyId }: Asker) {
  const begin = `begin; set local app.company_id = '${companyId}'`
  const company = { company_id: companyId }
  return await services.pool.use(async (connection) => {
    const first = await connection.roundTrip([begin, findRange(company), 'commit'])
    if (first.error !== undefined) throw first.error
    const { from_seq: fromSeq = null, to_seq: toSeq = null } = first.rows<Range>(1)[0] ?? {}
    if (fromSeq === null) return { created: [], uses: [], fromSeq: undefined }
    const range = { from_seq: fromSeq, to_seq: toSeq ?? Number.MAX_SAFE_INTEGER, request_id: requestIdOf(fromSeq) }
    const second = await connection.roundTrip([begin, findCreated({ ...company, ...range }), 'commit'])
    if (second.error !== undefined) throw second.error
    const created = second.rows<Row>(1)
    const idsOf = (...records: string[]): number[] =>
      created.filter(({ record }) => records.includes(record)).map(({ id }) => id)
    const third = await connection.roundTrip([
      begin,
      findUses({
        ...company,
        item_ids: idsOf('product', 'material', 'resource'),
        customer_ids: idsOf('customer'),
        supplier_ids: idsOf('supplier'),
      }),
      'commit',
    ])
    if (third.error !== undefined) throw third.error
    return { created, uses: third.rows<{ uses: readonly Use[] }>(1)[0]?.uses ?? [], fromSeq }
  })
}
