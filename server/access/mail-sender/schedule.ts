// When a mail that could not be sent is tried again, and when it is given up.

const minuteMs = 60_000

/** Pauses after the first attempts; the last one is repeated. */
const pauses = [1, 2, 5, 10, 30, 60, 120, 240].map((minutes) => minutes * minuteMs)

/** How long a mail is tried. An invitation expires after a week. */
const patienceMs = 2 * 24 * 60 * minuteMs

/** Milliseconds until the next attempt, up to a fifth longer so that mails do not come back all at once. Undefined: the mail is given up. */
export function pauseAfter(attempts: number, ageMs: number, random: number): number | undefined {
  const pauseMs = (pauses[Math.min(attempts, pauses.length) - 1] ?? minuteMs) * (1 + random / 5)
  return ageMs + pauseMs > patienceMs ? undefined : Math.round(pauseMs)
}
