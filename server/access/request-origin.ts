// Where a request of a user comes from, in words: the address, and the browser and the operating system that the browser names.

import type { RequestOrigin } from '../kernel/clock.ts'

/** As it is stored and shown; null if it is not known. */
export type StoredOrigin = {
  readonly address: string | null
  readonly browser: string | null
  readonly system: string | null
}

/** Of what no browser has sent, such as a command. */
export const noOrigin: StoredOrigin = { address: null, browser: null, system: null }

// The first that matches: most browsers also name those that they want to be taken for.
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Yandex Browser', /\bYaBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
]
const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** Longer ones are not read. */
const readCharacters = 500
const longestAddress = 64

export function storedOrigin(origin: RequestOrigin | undefined): StoredOrigin {
  if (origin === undefined) return noOrigin
  const agent = (origin.agent ?? '').slice(0, readCharacters)
  const named = (names: typeof browsers): string | null => names.find(([, sign]) => sign.test(agent))?.[0] ?? null
  const address = origin.address.slice(0, longestAddress)
  return { address: address === '' ? null : address, browser: named(browsers), system: named(systems) }
}
