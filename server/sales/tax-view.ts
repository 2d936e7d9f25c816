// The tax of a sale or a quote as it is shown.

import { z } from 'zod'
import { taxTreatments } from '../contacts/tax-terms.ts'

/** SQL: the tax of the sale `d`. Null also when a server of an older version has changed the total without it; the next change computes it again. */
export const shownTax = `case when d.total = (d.tax ->> case when (d.tax -> 'included')::boolean then 'gross' else 'net' end)::numeric then d.tax end`

const sums = {
  net: z.string().describe('Without tax.'),
  tax: z.string().describe('The tax.'),
  gross: z.string().describe('net + tax.'),
}

const rate = {
  name: z.string().describe('Name of the rate; empty: none.'),
  percent: z.string().describe('Percentage.'),
  ...sums,
}

const taxWith = <R extends z.ZodType>(shownRate: R) =>
  z.object({
    included: z.boolean().describe('Whether the prices contain the tax.'),
    treatment: z.enum(taxTreatments).describe('Why none is charged; empty: it is charged.'),
    reason: z.string().describe('The reason, as documents say it.'),
    ...sums,
    rates: z.array(shownRate).describe('The highest percentage first.'),
  })

export const taxSchema = taxWith(
  z.object({ ...rate, items: z.array(z.int()).describe('Ids of the items on the lines with this rate.') }),
)
/** For the customer, who knows no ids. */
export const sharedTaxSchema = taxWith(z.object(rate))
