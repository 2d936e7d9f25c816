// A sum over sales that leaves out those without a known cost, and says how many these are.

import { Text } from '@mantine/core'
import { empty, money } from '../format.ts'
import { messages } from '../messages.ts'

export type CountedSales = { readonly sales: number; readonly without_cost: number }

/** "–" when no sale has a known cost. */
export const knownSum = (sum: number | null, { sales, without_cost: unknown }: CountedSales): string =>
  sum === null || (sales > 0 && unknown === sales) ? empty : money(sum)

/** Which sales the sum leaves out; undefined when it is complete. */
export const leftOutText = ({ sales, without_cost: unknown }: CountedSales): string | undefined =>
  unknown === 0 ? undefined : messages.sales.withoutCost(sales, unknown)

export function KnownSum({ sum, of }: { readonly sum: number | null; readonly of: CountedSales }) {
  const leftOut = leftOutText(of)
  return (
    <>
      {knownSum(sum, of)}
      {leftOut !== undefined && (
        <Text size="xs" c="dimmed" fw={400} maw={110} ml="auto" style={{ whiteSpace: 'normal' }}>
          {leftOut}
        </Text>
      )}
    </>
  )
}
