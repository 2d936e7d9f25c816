// When a failed message is sent again, and when an endpoint is given up. Pure.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The pauses after the first failure, the second, and so on. A message is given up when the attempt after the last pause fails. */
export const pausesMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
/** After so many failures a message no longer holds up those behind it. */
export const failuresInOrder = 3
const longestMs = 24 * hour
/** An endpoint with nothing but failures for so long is turned off. */
export const givenUpAfterSeconds = 5 * 24 * 3_600

/**
 * The pause after this many failures; `undefined` when the message is given up. A receiver that asks for a pause gets it, up to a day. Otherwise the
 * pause is up to a tenth longer at random, so that messages that failed together are not sent again together.
 */
export function pauseAfter(failures: number, requestedMs: number | undefined, random: number): number | undefined {
  const usual = pausesMs[failures - 1]
  if (usual === undefined) return undefined
  if (requestedMs !== undefined) return Math.min(longestMs, Math.max(second, requestedMs))
  return Math.round(usual * (1 + random / 10))
}

/** The pause that a response asks for: Retry-After of 429 and 503, in seconds or as a date. */
export function requestedPauseMs(status: number | undefined, retryAfter: string | undefined, nowMs: number) {
  if ((status !== 429 && status !== 503) || retryAfter === undefined) return undefined
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * second
  const atMs = /GMT$/.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
