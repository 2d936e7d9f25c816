// What a rule of the interface is.

export type Rule = {
  /** Dotted, stable: `orders/add.error.no-num`. */
  readonly id: string
  /** The rule in one sentence, or the exact error text with its condition. */
  readonly text: string
}
