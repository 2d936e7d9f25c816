// A condition that must always hold, as SQL that returns a row for each violation.

export type Invariant = { readonly name: string; readonly sql: string }
