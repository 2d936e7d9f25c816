// The facts that are printed: one statement for each kind of paper, which also returns the logo. Those that workers may print contain no money.

import { productionStatus, purchaseStatus, quoteStatus, saleStatus } from '../../kernel/document-statuses.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { jsonRows } from '../../platform/postgres/json-sql.ts'
import { type DraftFacts, draftFacts } from '../../sales/quotes/tax.ts'
import { shownTax } from '../../sales/tax-view.ts'

/** `facts` is text, so that it is not parsed before it reaches the thread. */
export type PaperRow = {
  readonly facts: string
  readonly logo: Buffer | null
  readonly logo_type: string | null
  /** Of a quote that a user prints. */
  readonly draft?: DraftFacts
}
type Values = { readonly company_id: number; readonly document_id: number }

const object = (fields: Readonly<Record<string, string>>): string =>
  `json_build_object(${Object.entries(fields)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(', ')})`

const columns = (alias: string, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `${alias}.${name}`]))

const shortCompany = columns(
  'c',
  ...['name', 'legal_name', 'address', 'country', 'email', 'phone', 'currency', 'paper_size', 'document_language'],
)
const wholeCompany = {
  ...shortCompany,
  ...columns('c', 'vat_number', 'registration', 'bank_name', 'bank_account', 'bank_code'),
}

const isCanceled = (code: number): string => `(d.status = ${code})`
const amountOf = (alias: string): string => `trim_scale(${alias}.amount)::text`
const item = { name: 'i.name', sku: 'i.sku', unit: 'n.name' }
const joinItem = (alias: string): string =>
  `join items i on i.company_id = :company_id and i.id = ${alias}.item_id
   join units n on n.company_id = :company_id and n.id = i.unit_id`
const barcode = `(
  select o.code from item_codes o where o.company_id = :company_id and o.item_id = i.id and o.role = 'barcode' order by o.position, o.code limit 1)`
const priced = { price: 'round(l.total / l.amount, 2)::text', total: 'l.total::text' }
const sums = {
  subtotal: 'd.subtotal::text',
  delivery_price: 'd.delivery_price::text',
  discount: 'd.discount::text',
  total: 'd.total::text',
}

const rows = (fields: Readonly<Record<string, string>>, order: string, from: string): string =>
  `${jsonRows(`${object(fields)} order by ${order}`)} ${from})`

const paper = (company: Readonly<Record<string, string>>, fields: Readonly<Record<string, string>>): string =>
  `select ${object({ company: object(company), ...fields })}::text as facts, c.logo, c.logo_type`

const ofSale = `from sales d
   join companies c on c.company_id = :company_id
   join customers u on u.company_id = :company_id and u.id = d.customer_id
   where d.company_id = :company_id and d.id = :document_id`

export const saleFacts = statement<PaperRow, Values>(
  'paper.order_confirmation',
  `${paper(wholeCompany, {
    ...columns('d', 'num', 'date_placed'),
    is_canceled: isCanceled(saleStatus.canceled),
    ...sums,
    customer: object(columns('u', 'name', 'country', 'vat_number')),
    tax: shownTax,
    billing_address: 'coalesce(d.billing_address, u.address_legal)',
    delivery_address: 'coalesce(d.delivery_address, u.address_real)',
    lines: rows(
      { item_id: 'l.item_id', ...item, amount: amountOf('l'), ...priced },
      'l.position',
      `from sale_lines l ${joinItem('l')} where l.company_id = :company_id and l.sale_id = d.id`,
    ),
  })} ${ofSale}`,
)

/** A draft has no links that work. */
const quote = (condition: string, { from = '', more = '' } = {}): string =>
  `${paper(wholeCompany, {
    ...columns('d', 'num', 'date_placed', 'valid_until', 'notes'),
    ...sums,
    customer: object(columns('u', 'name', 'country', 'vat_number')),
    tax: 'd.tax',
    billing_address: 'u.address_legal',
    delivery_address: 'u.address_real',
    lines: rows(
      { item_id: 'l.item_id', ...item, amount: amountOf('l'), ...priced },
      'l.position',
      `from quote_lines l ${joinItem('l')} where l.company_id = :company_id and l.quote_id = d.id`,
    ),
  })}${more} from quotes d
   join companies c on c.company_id = :company_id
   join customers u on u.company_id = :company_id and u.id = d.customer_id ${from}
   where d.company_id = :company_id and ${condition}`

export const quoteFacts = statement<PaperRow, Values>(
  'paper.quote',
  quote('d.id = :document_id', { more: `, ${draftFacts(':document_id')} as draft` }),
)

/** No row unless the link works and the quote is valid or decided. */
export const sharedQuoteFacts = statement<PaperRow, { readonly company_id: number; readonly token_hash: Buffer }>(
  'paper.shared_quote',
  quote(
    `d.status <> ${quoteStatus.draft} and (d.status <> ${quoteStatus.sent} or d.valid_until >= (now() at time zone c.timezone)::date)`,
    {
      from: `join quote_tokens t on t.company_id = :company_id and t.token_hash = :token_hash and t.quote_id = d.id
     join quote_links q on q.company_id = :company_id and q.quote_id = t.quote_id and q.number = t.number and q.revoked_at is null`,
    },
  ),
)

const slip = (own: Readonly<Record<string, string>>): string =>
  paper(shortCompany, {
    ...columns('d', 'num', 'date_placed'),
    is_canceled: isCanceled(saleStatus.canceled),
    customer: object(columns('u', 'name', 'country', 'phone')),
    delivery_address: 'coalesce(d.delivery_address, u.address_real)',
    ...own,
  })

const slipOfSale = statement<PaperRow, Values>(
  'paper.packing_slip',
  `${slip({
    date_shipped: 'd.date_shipped',
    shipment: 'null::int',
    tracking_number: `''`,
    carrier: `''`,
    lines: rows(
      { ...item, amount: amountOf('l'), barcode },
      'l.position',
      `from sale_lines l ${joinItem('l')} where l.company_id = :company_id and l.sale_id = d.id`,
    ),
  })} ${ofSale}`,
)

/** Every row of a shipment has its day, carrier and tracking number. */
const ofShipment = (column: string): string =>
  `(select s.${column} from sale_shipments s where s.company_id = :company_id and s.sale_id = d.id and s.shipment = :shipment limit 1)`

const slipOfShipment = statement<PaperRow, Values & { readonly shipment: number }>(
  'paper.packing_slip_of_shipment',
  `${slip({
    date_shipped: ofShipment('date'),
    shipment: ':shipment::int',
    tracking_number: ofShipment('tracking_number'),
    carrier: ofShipment('carrier'),
    lines: rows(
      { ...item, amount: amountOf('s'), barcode },
      'i.name_key, i.id',
      `from sale_shipments s ${joinItem('s')} where s.company_id = :company_id and s.sale_id = d.id and s.shipment = :shipment`,
    ),
  })} ${ofSale}
   and exists (select from sale_shipments s where s.company_id = :company_id and s.sale_id = d.id and s.shipment = :shipment)`,
)

export const slipFacts = (values: Values, shipment: number | undefined): Statement<PaperRow> =>
  shipment === undefined ? slipOfSale(values) : slipOfShipment({ ...values, shipment })

export const purchaseFacts = statement<PaperRow, Values>(
  'paper.purchase_order',
  `${paper(wholeCompany, {
    ...columns('d', 'num', 'date_placed'),
    is_canceled: isCanceled(purchaseStatus.canceled),
    ...sums,
    supplier: object({
      ...columns('u', 'name', 'country'),
      address: `coalesce(nullif(u.address_legal, ''), u.address_real)`,
    }),
    // Those that the goods of the purchase go to.
    storages: rows(
      columns('s', 'name', 'address'),
      's.id',
      `from storages s where s.company_id = :company_id and s.id in (
         select case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end
         from purchase_lines l join items i on i.company_id = :company_id and i.id = l.item_id
         where l.company_id = :company_id and l.purchase_id = d.id)`,
    ),
    lines: rows(
      {
        ...item,
        amount: amountOf('l'),
        ...priced,
        supplier_sku: `(
          select nullif(p.sku, '') from item_suppliers p
          where p.company_id = :company_id and p.item_id = i.id and p.supplier_id = d.supplier_id limit 1)`,
      },
      'l.position',
      `from purchase_lines l ${joinItem('l')} where l.company_id = :company_id and l.purchase_id = d.id`,
    ),
  })} from purchases d
   join companies c on c.company_id = :company_id
   join suppliers u on u.company_id = :company_id and u.id = d.supplier_id
   where d.company_id = :company_id and d.id = :document_id`,
)

export const jobFacts = statement<PaperRow, Values>(
  'paper.job_sheet',
  `${paper(shortCompany, {
    ...columns('d', 'num', 'date_placed', 'date_planned', 'notes'),
    is_canceled: isCanceled(productionStatus.canceled),
    order_num: 'o.num',
    products_storage: 'ps.name',
    materials_storage: 'ms.name',
    lines: rows(
      { ...item, amount: amountOf('l') },
      'l.position',
      `from production_lines l ${joinItem('l')} where l.company_id = :company_id and l.production_id = d.id`,
    ),
    uses: rows(
      { ...item, kind: 'i.kind', amount: amountOf('l') },
      'l.position, i.id',
      `from (
         select w.item_id, sum(w.amount) as amount, min(w.position) as position from production_uses w
         where w.company_id = :company_id and w.production_id = d.id group by w.item_id) l ${joinItem('l')}`,
    ),
  })} from productions d
   join companies c on c.company_id = :company_id
   join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
   join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
   left join sales o on o.company_id = :company_id and o.id = d.sale_id
   where d.company_id = :company_id and d.id = :document_id`,
)

/** No row unless every item exists. */
export const labelFacts = statement<
  PaperRow,
  { readonly company_id: number; readonly ids: readonly number[]; readonly count: number }
>(
  'paper.labels',
  `select ${object({
    company: object(shortCompany),
    items: rows(
      { id: 'i.id', name: 'i.name', sku: 'i.sku', barcode },
      'i.id',
      'from items i where i.company_id = :company_id and i.id = any(:ids::bigint[]) and i.deleted_at is null',
    ),
  })}::text as facts, null::bytea as logo, null::text as logo_type
   from companies c where c.company_id = :company_id and :count::int = (
     select count(*) from items i where i.company_id = :company_id and i.id = any(:ids::bigint[]) and i.deleted_at is null)`,
)
