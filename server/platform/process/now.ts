// The current time, which is the database's: the clock of a machine may be wrong, and several servers share one database. It is passed to statements as a
// parameter, because on a sharded cluster a statement that changes rows may not call now(). Where order matters, the database uses `greatest` with the stored time.

const dayMs = 86_400_000

/** A smaller difference comes from the network, and following it would make times go back and forth. */
const jitterMs = 100

/** By how much the database's clock is ahead of that of this process. */
let aheadMs = 0
/** The time recorded last, while the database's clock is in doubt. */
let recordedMs: number | undefined

/** What was read from the database. */
export function setClock(readAheadMs: number, recordedMsInDoubt: number | undefined): void {
  if (Math.abs(readAheadMs - aheadMs) > jitterMs) aheadMs = readAheadMs
  recordedMs = recordedMsInDoubt
}

/** The database's clock differs too much from the time that was recorded last, and no operator has confirmed it. */
export const isClockInDoubt = (): boolean => recordedMs !== undefined

/** The clock of this process, in milliseconds since 1970. It does not follow corrections of the machine's clock. */
export const processMs = (): number => performance.timeOrigin + performance.now()

export const nowMs = (): number => processMs() + aheadMs
export const now = (): string => microsecondsText(nowMs())

/** Decides to which day a request is counted: while the clock is in doubt, the day recorded last. */
export const countingMs = (): number => recordedMs ?? nowMs()
export const countingTime = (): string => microsecondsText(countingMs())

const never = '-infinity'
/** What expired before this time may be deleted: nothing while the clock is in doubt. */
export const deletionTime = (): string => (isClockInDoubt() ? never : now())
/** What is kept for a day and is older than this may be deleted: nothing while the clock is in doubt. */
export const deletionTimeOfDay = (): string => (isClockInDoubt() ? never : new Date(nowMs() - dayMs).toISOString())

/** The last second and its text up to the point, because `toISOString` takes most of the time. */
let lastSecond = Number.NaN
let lastText = ''

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
