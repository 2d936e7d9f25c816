// Natural order: digit runs compare as numbers (A-9 before A-10), everything else by code point.
// The sort key is stored next to the text and compared byte by byte. The alternative, an ICU collation, would tie
// every index to the version of an operating system library, and breaks ties between 7 and 007 by their bytes.

import { foldedText } from './folded-text.ts'

/** A run of n digits becomes its length and its digits without leading zeros; equal numbers give equal keys. */
export function naturalKey(text: string): string {
  return text.replace(/\d+/g, (run) => {
    const digits = run.replace(/^0+(?=\d)/, '')
    return digits.length < 9 ? `${digits.length}${digits}` : `9${String(digits.length).padStart(3, '0')}${digits}`
  })
}

/** Names are ordered by digits as numbers and without regard to case. */
export const nameKey = (name: string): string => naturalKey(foldedText(name))
