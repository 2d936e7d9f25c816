// When a mail that could not be sent is tried again, and when it is given up.

import type { MailKind } from '../mail/outbox.ts'

const minuteMs = 60_000

/** Pauses after the first attempts; the last one is repeated. */
const pauses = [1, 2, 5, 10, 30, 60, 120, 240].map((minutes) => minutes * minuteMs)

/** How long a mail is tried. An invitation expires after a week, a link to set a new password after half an hour. */
const patienceMinutes: Readonly<Record<MailKind, number>> = {
  invitation: 2 * 24 * 60,
  password_reset: 30,
  password_changed: 2 * 24 * 60,
  sign_up: 24 * 60,
  webhook_disabled: 2 * 24 * 60,
  // The next one comes a day later.
  shortages: 12 * 60,
  quote: 2 * 24 * 60,
  document: 2 * 24 * 60,
}

/** Milliseconds until the next attempt, up to a fifth longer so that mails do not come back all at once. Undefined: the mail is given up. */
export function pauseAfter(kind: MailKind, attempts: number, ageMs: number, random: number): number | undefined {
  const pauseMs = (pauses[Math.min(attempts, pauses.length) - 1] ?? minuteMs) * (1 + random / 5)
  return ageMs + pauseMs > patienceMinutes[kind] * minuteMs ? undefined : Math.round(pauseMs)
}
