// A long run in rounds, each with its own database, journal and seed: this keeps the checked data small, and tests starting, too.

import type { Outcome } from '../campaign.ts'

export async function inRounds(
  { runs, seed }: { readonly runs: number; readonly seed: number },
  size: number,
  round: (runs: number, seed: number) => Promise<Outcome>,
): Promise<Outcome> {
  const counts: Record<string, number | string> = {}
  const found: string[] = []
  for (let done = 0, number = 0; done < runs && found.length === 0; done += size, number++) {
    const outcome = await round(Math.min(size, runs - done), seed + number)
    if (outcome.skipped !== undefined) return outcome
    found.push(...outcome.found.map((line) => `seed ${seed + number}: ${line}`))
    for (const [name, value] of Object.entries(outcome.counts)) counts[name] = joined(name, counts[name], value)
  }
  return { counts, found }
}

/** Counts are added up; of maxima the largest is kept. */
function joined(name: string, before: number | string | undefined, value: number | string): number | string {
  if (typeof value !== 'number' || typeof before !== 'number') return value
  return name.includes(' at most ') ? Math.max(before, value) : before + value
}
