// The time, to the microsecond, for statements that write. It is passed to them: on a cluster a statement that changes rows may not ask the
// database for the time itself. Where order matters the database still decides, by `greatest` with what it holds.

export function now(): string {
  const micros = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000))
  return new Date(Number(micros / 1_000n)).toISOString().replace('Z', `${String(micros % 1_000n).padStart(3, '0')}Z`)
}

/** The same moment a day earlier. */
export const dayBefore = (time: string): string => new Date(Date.parse(time) - 86_400_000).toISOString()
