// The tax of a saved sale, below its total: contained in it, or added to it.

import { Fragment } from 'react'
import { money } from '../format.ts'
import { rateLabel } from '../kit/tax-rates.ts'
import { messages } from '../messages.ts'
import classes from './sale-form.module.css'
import type { SaleCard } from './sale-values.ts'

const texts = messages.sales.tax

export const TaxAfterSaving = () => <dd className={classes['note']}>{texts.afterSaving}</dd>

type Tax = NonNullable<SaleCard['tax']>

/** `isSaved`: the lines, the delivery and the discount are those that the tax was computed from. */
export function SaleTax({ tax, isSaved }: { readonly tax: Tax; readonly isSaved: boolean }) {
  if (!isSaved) return <TaxAfterSaving />
  if (tax.treatment !== '')
    return (
      <dd className={classes['note']}>
        {texts.treatment[tax.treatment]}
        {tax.reason === '' ? '' : `: ${tax.reason}`}
      </dd>
    )
  const rates = tax.rates.filter(({ name }) => name !== '')
  return (
    <>
      {rates.map((rate) => (
        <Fragment key={rateLabel(rate)}>
          <dt>{tax.included ? texts.included(rateLabel(rate)) : texts.added(rateLabel(rate))}</dt>
          <dd>{money(rate.tax)}</dd>
        </Fragment>
      ))}
      {tax.included ? (
        <>
          <dt>{texts.net}</dt>
          <dd>{money(tax.net)}</dd>
        </>
      ) : (
        <>
          <dt className={classes['total']}>{texts.gross}</dt>
          <dd className={classes['total']}>{money(tax.gross)}</dd>
        </>
      )}
    </>
  )
}
