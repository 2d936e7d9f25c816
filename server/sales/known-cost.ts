// SQL of the cost of the sale `d`, where it is known. An unknown cost is null, never zero.

/** Sales written before cost_known existed are known by their sum, until the backfill has seen them. */
export const costIsKnown = 'coalesce(d.cost_known, d.cost <> 0)'
export const knownCost = `(case when ${costIsKnown} then d.cost end)`
export const knownMargin = `(case when ${costIsKnown} then d.total - d.cost end)`
