// The shape of a catalog of texts: that of the English one, with any text in place of each.

import type { messages } from './en.ts'

/** The shape of English texts, with any text in place of each. */
export type Translated<T> = T extends string
  ? string
  : T extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translated<Result>
    : T extends number | boolean | undefined
      ? T
      : { readonly [Key in keyof T]: Translated<T[Key]> }

/** TypeScript refuses a catalog in which a text is missing or has other parameters; messages.test.ts those that have one too many. */
export type Catalog = Translated<typeof messages>
