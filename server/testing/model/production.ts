// The model's made-to-order productions: which of them a sale calls for, and what becomes of the others.

import { type Sale, type State, undetermined } from './state.ts'

/** Brings the productions in line with the sale, after every change of it. */
export function arrange(state: State, sale: Sale, wasCanceled = false): void {
  const linked = state.productions.find((production) => production.sale === sale.id)
  if (!sale.production || sale.status === 4) {
    if (linked !== undefined) unlink(state, sale.id)
    return
  }
  const lines = sale.lines.filter((line) => line.kind === 'product').map(({ item, amount }) => ({ item, amount }))
  if (linked?.started === true) return
  if (lines.length === 0) undetermined('what is made for a sale without products')
  if (linked !== undefined) linked.lines = lines
  else if (!wasCanceled || state.fault !== 'leaving Canceled makes no production') {
    state.lastProduction += 1
    state.productions.push({ num: `M-${state.lastProduction}`, sale: sale.id, started: false, lines })
  }
}

/** A planned one goes, a started one stays on its own. */
export function unlink(state: State, saleId: number): void {
  state.productions = state.productions.filter((production) => production.sale !== saleId || production.started)
  for (const production of state.productions) if (production.sale === saleId) production.sale = null
}
