// The current time in microseconds, as a parameter of statements that write: on a sharded cluster a statement that changes rows may not call
// now(). Where order matters, the database uses `greatest` with the stored time.

export function now(): string {
  const ms = performance.timeOrigin + performance.now()
  const whole = Math.floor(ms)
  const micros = String(Math.floor((ms - whole) * 1_000)).padStart(3, '0')
  return `${new Date(whole).toISOString().slice(0, -1)}${micros}Z`
}

/** The same time a day earlier. */
export const dayBefore = (time: string): string => new Date(Date.parse(time) - 86_400_000).toISOString()
