// The type of a rule of the API.

export type Rule = {
  /** Dotted, stable: `orders/add.error.no-num`. */
  readonly id: string
  /** The rule in one sentence, or the exact error text with its condition. */
  readonly text: string
}
