// The time, to the microsecond, for statements that write. It is passed to them: on a cluster a statement that changes rows may not ask the
// database for the time itself. Where order matters the database still decides, by `greatest` with what it holds.

export function now(): string {
  const ms = performance.timeOrigin + performance.now()
  const whole = Math.floor(ms)
  const micros = String(Math.floor((ms - whole) * 1_000)).padStart(3, '0')
  return `${new Date(whole).toISOString().slice(0, -1)}${micros}Z`
}

/** The same moment a day earlier. */
export const dayBefore = (time: string): string => new Date(Date.parse(time) - 86_400_000).toISOString()
