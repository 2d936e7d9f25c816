// Finding items by their SKUs and barcodes.

/**
 * SQL: a select of the codes whose space and key meet the conditions, which follow the column. A code that an older version wrote and that has no key yet
 * is found by its exact text. Two selects, because PostgreSQL uses no index for `coalesce(code_key, code)` in a table with row level security.
 */
export const codesFound = (space: string, key: string): string => {
  const codes = `select c.space, c.code, c.item_id, c.role from item_codes c where c.company_id = :company_id and c.space ${space}`
  return `${codes} and c.code_key ${key} union all ${codes} and c.code ${key} and c.code_key is null`
}

/** SQL: the codes that are named by two parameters, arrays of spaces and codes, as a table `c`. */
export const codesNamed = (spaces: string, codes: string): string =>
  `unnest(${spaces}::text[], ${codes}::text[]) as x (space, code) cross join lateral (${codesFound('= x.space', '= x.code')}) c`
