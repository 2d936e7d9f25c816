// The encoding of a text file: that of its byte order mark, else UTF-8 if it is valid, else one of the two that spreadsheets write in Western and Russian systems.

import { unreadable } from './refusal.ts'

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1251'] as const
export type Encoding = (typeof encodings)[number]

const marks: readonly (readonly [encoding: Encoding, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

export function decode(bytes: Uint8Array): { readonly text: string; readonly encoding: Encoding } {
  const marked = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0]
  const encoding = marked ?? unmarked(bytes)
  return { text: new TextDecoder(encoding).decode(bytes), encoding }
}

const sampled = 65_536

function unmarked(bytes: Uint8Array): Encoding {
  const sample = bytes.subarray(0, sampled)
  if (sample.includes(0)) return wide(sample)
  try {
    // A file may end within a character, which is then replaced.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return 'utf-8'
  } catch {
    return isCyrillic(sample) ? 'windows-1251' : 'windows-1252'
  }
}

/** Texts of two bytes per character in which every second one is 0, as in most of a table in Latin script. */
function wide(sample: Uint8Array): Encoding {
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const half = sample.length / 2
  const [even = 0, odd = 0] = zeros
  if (odd > half * 0.4 && even === 0) return 'utf-16le'
  if (even > half * 0.4 && odd === 0) return 'utf-16be'
  return unreadable({ why: 'not a spreadsheet' })
}

/** In Cyrillic script most of these bytes stand in words of three and more of them, in Latin script accented letters between others. */
function isCyrillic(sample: Uint8Array): boolean {
  let [letters, inWords, run] = [0, 0, 0]
  for (let at = 0; at <= sample.length; at++) {
    const byte = sample[at] ?? 0
    // Letters of both encodings; ё and Ё have places of their own in the Cyrillic one.
    if (byte >= 0xc0 || byte === 0xa8 || byte === 0xb8) run++
    else {
      letters += run
      if (run >= 3) inWords += run
      run = 0
    }
  }
  return inWords * 2 > letters
}
