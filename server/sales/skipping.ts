// Sales as documents that skip lines: how the methods for skipped lines read, change and write many of them at once.

import type { SkippingSection } from '../documents/skipping.ts'
import { closedSales } from '../kernel/document-statuses.ts'
import { Items } from '../stock/items.ts'
import { refuseMaterials } from './input.ts'
import { planSale } from './plan.ts'
import { saleKind } from './sale.ts'
import { eventsOfSale, factsOfEachSale, loadPresent, type SaleFacts, valuesOfEachSale, writtenSale } from './store.ts'
import { withRates } from './tax.ts'

export const skippingSales: SkippingSection<SaleFacts> = {
  record: 'sale',
  table: saleKind.table,
  skippedTable: 'sale_skipped_lines',
  key: saleKind.key,
  closed: closedSales,
  parties: { table: 'customers', key: 'customer_id' },
  otherRows: `(
    select count(*) from productions p join production_uses u on u.company_id = :company_id and u.production_id = p.id
    where p.company_id = :company_id and p.sale_id = f.id)`,
  refuseMaterials,
  facts: factsOfEachSale,
  values: valuesOfEachSale,
  idOf: ({ document }) => document?.id,
  plan: (facts, change, { costs, transaction }) => {
    const items = new Items(facts, costs)
    const present = loadPresent(facts)
    const sale = present.document
    const changed = withRates({ ...sale, ...change(sale, items, facts.company) }, items, facts.company.tax)
    const planned = planSale(present, changed, items, transaction)
    return {
      events: eventsOfSale(planned),
      costs: planned.posting.costs,
      write: (whole) => writtenSale(planned, whole)?.statements ?? [],
    }
  },
}
