// What must always hold, as SQL that returns rows only when it does not. Company $1.

export type Invariant = { readonly name: string; readonly sql: string }
