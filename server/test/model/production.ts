// The model's made-to-order productions: which of them a sale requires, and what happens to the others.

import { type Sale, type State, undetermined } from './state.ts'

/** Updates the productions to match the sale, after every change of it. */
export function arrange(state: State, sale: Sale, wasCanceled = false): void {
  const isCanceled = sale.status === 4
  const former = wasCanceled && !isCanceled ? remembered(state, sale.id) : undefined
  const linked = state.productions.find((production) => production.sale === sale.id)
  if (!sale.production || isCanceled) {
    if (linked !== undefined) unlink(state, sale.id, isCanceled)
    return
  }
  const lines = sale.lines.filter((line) => line.kind === 'product').map(({ item, amount }) => ({ item, amount }))
  if (linked !== undefined && linked.status !== 0) return
  if (former?.status === 1 && state.fault !== 'leaving Canceled orders everything again') {
    former.sale = sale.id
    return
  }
  if (lines.length === 0) undetermined('what is made for a sale without products')
  if (linked !== undefined) linked.lines = lines
  else if (!wasCanceled || state.fault !== 'leaving Canceled creates no production') {
    state.lastProduction += 1
    state.productions.push({ num: `M-${state.lastProduction}`, sale: sale.id, former: null, status: 0, lines })
  }
}

/** The production that the sale had when it was canceled. It is tried once: whatever the result, the sale no longer refers to it. */
function remembered(state: State, saleId: number): State['productions'][number] | undefined {
  const found = state.productions.find((production) => production.former === saleId)
  if (found !== undefined) found.former = null
  return found
}

/** A planned one is deleted, any other is unlinked. A sale that is only canceled may reclaim it. */
export function unlink(state: State, saleId: number, isCanceled: boolean): void {
  state.productions = state.productions.filter((production) => production.sale !== saleId || production.status !== 0)
  for (const production of state.productions) {
    if (!isCanceled && production.former === saleId) production.former = null
    if (production.sale !== saleId) continue
    production.sale = null
    production.former = isCanceled ? saleId : null
  }
}
