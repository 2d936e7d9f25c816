// The current time in microseconds, as a parameter of statements that write: on a sharded cluster a statement that changes rows may not call
// now(). Where order matters, the database uses `greatest` with the stored time.

/** The last second and its text up to the point, because `toISOString` takes most of the time. */
let lastSecond = Number.NaN
let lastText = ''

export const now = (): string => microsecondsText(performance.timeOrigin + performance.now())

/** A time in milliseconds since 1970, with its fraction. */
export function microsecondsText(ms: number): string {
  // From whole milliseconds, so that no rounding leads to another second.
  const whole = Math.floor(ms)
  const second = Math.floor(whole / 1_000)
  if (second !== lastSecond) {
    lastSecond = second
    lastText = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length)
  }
  const micros = (whole - second * 1_000) * 1_000 + Math.floor((ms - whole) * 1_000)
  return `${lastText}${String(micros).padStart(6, '0')}Z`
}

/** The same time a day earlier. */
export const dayBefore = (time: string): string => new Date(Date.parse(time) - 86_400_000).toISOString()
