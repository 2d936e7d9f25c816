// The goal for each figure, shown next to it in every table.

export type Goal = {
  readonly least?: number
  readonly later?: number
  readonly most?: number
}

/** Processor time of the server and of PostgreSQL for one request, in µs. */
export const costGoals: Readonly<Record<string, Goal>> = { add: { most: 1_700 } }

/** Rate of the server over the rate of the lean script. */
export const leanGoal: Goal = { least: 0.5 }

/** Rate of the server over that of the commit that it is compared with. */
export const againstGoals: Readonly<Record<string, Goal>> = {
  add: { least: 1.4 },
  entry: { least: 1.3 },
  list: { least: 1.3 },
}

/** Rate of the server over the rate of the same SQL bare. */
export const ratioGoals: Readonly<Record<string, Goal>> = {
  add: { least: 0.6, later: 0.75 },
  'add-new': { least: 0.6, later: 0.75 },
  'add-50': { least: 0.6, later: 0.75 },
  entry: { least: 0.75 },
  list: { least: 0.7 },
  'list-deep': { least: 0.7 },
  all: { least: 0.8 },
}

/** Memory of the server while it streams a whole list, in bytes. */
export const listMemoryGoal: Goal = { most: 150 * 1024 * 1024 }

/** Rate of 16 clients on one company over the rate of 16 clients on many. */
export const busyGoal: Goal = { least: 0.6 }

/** Time of a request in the company with the most sales over its time in the one with the fewest. */
export const growthGoals: Readonly<Record<string, Goal>> = {
  add: { most: 1.3 },
  get_entry: { most: 1.3 },
  get_list: { most: 1.3 },
  get_list_deep: { most: 2 },
}

export const wordsOf = ({ least, later, most }: Goal): string =>
  most !== undefined ? `at most ${most}` : `at least ${least}${later === undefined ? '' : `, then ${later}`}`

export function verdict(goal: Goal | undefined, value: number): string {
  if (goal === undefined) return ''
  if (goal.most !== undefined) return value <= goal.most ? 'reached' : 'missed'
  if (value < (goal.least ?? 0)) return 'missed'
  return goal.later !== undefined && value < goal.later ? 'first reached' : 'reached'
}
