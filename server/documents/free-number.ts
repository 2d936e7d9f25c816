// The next number of a sequence that no document has, as a fact of a new document.

import type { DocumentKind } from './document.ts'

// Numbers that were given by hand follow each other rarely, so this many steps of 1 find a gap nearly always. Then the steps double: a few more
// reach beyond any row of numbers, and no request takes longer than that.
const singleSteps = 1_000
const allSteps = singleSteps + 30

/** A subselect: the first number after the last one of the sequence that no document of this kind has. One look-up in the index of the numbers
 * for each number that is taken. */
export function freeNumberFacts({ table, numbers }: DocumentKind, name: string): string | undefined {
  if (numbers === undefined) return undefined
  const { counter, prefix } = numbers
  return `(
    with recursive tried (number, step, tries) as (
      select k.last_${counter} + 1, 1::bigint, 1 from company_clock k where k.company_id = :company_id
      union all
      select t.number + t.step, case when t.tries < ${singleSteps} then 1 else t.step * 2 end, t.tries + 1 from tried t
      where t.tries < ${allSteps}
        and exists (select from ${table} d where d.company_id = :company_id and d.num = '${prefix}' || t.number offset 0))
    select max(t.number) from tried t) as ${name}`
}
