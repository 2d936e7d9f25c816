// The model's made-to-order productions: which of them a sale requires, and what happens to the others.

import { itemOf, type Line, type Sale, type State } from './state.ts'

/** Updates the productions to match the sale, after every change of it. An edit that changes nothing is none. */
export function arrange(state: State, sale: Sale, { wasCanceled = false, isEdited = false } = {}): void {
  const isCanceled = sale.status === 4
  const former = wasCanceled && !isCanceled ? remembered(state, sale.id) : undefined
  const linked = state.productions.find((production) => production.sale === sale.id)
  if (!sale.production || isCanceled) {
    if (linked !== undefined) unlink(state, sale.id, isCanceled)
    return
  }
  const lines = sale.lines.filter((line) => isMade(state, line)).map(({ item, amount }) => ({ item, amount }))
  if (former?.status === 1 && state.fault !== 'leaving Canceled orders everything again') {
    former.sale = sale.id
    return
  }
  if (linked?.status === 1) return
  if (linked?.status === 0) {
    linked.lines = lines
    if (lines.length === 0) state.productions = state.productions.filter((production) => production !== linked)
    return
  }
  if (lines.length === 0 || sale.status === 3) return
  if (linked !== undefined) {
    if (!isEdited || state.fault === 'an edit keeps a canceled production') return
    linked.sale = null
  }
  if (wasCanceled && state.fault === 'leaving Canceled creates no production') return
  state.lastProduction += 1
  state.productions.push({ num: `M-${state.lastProduction}`, sale: sale.id, former: null, status: 0, lines })
}

const isMade = (state: State, { item, kind }: Line): boolean =>
  kind === 'product' && (itemOf(state, item).made || state.fault === 'a product without components is made')

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
