// A condition that must always hold, as SQL that returns a row for each violation.

export type Invariant = {
  readonly name: string
  readonly sql: string
  /** The backfill that creates what is checked: until it has reached a company, a violation there is expected. */
  readonly filledInBy?: string
}
