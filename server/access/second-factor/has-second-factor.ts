// What counts as a second factor.

/** SQL: whether a user, whose id is this expression, has a second factor. */
export const hasSecondFactor = (userId: string): string =>
  `(exists (select from authenticators f where f.company_id = :company_id and f.user_id = ${userId} and f.confirmed_at is not null)` +
  ` or exists (select from passkeys f where f.company_id = :company_id and f.user_id = ${userId}))`
