// The typeface of printed pages: Inter, with Latin, Cyrillic and Greek. It reads which characters the typeface has, and replaces all others.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create } from 'fontkit'
import type { Face } from './sheet.ts'

const { resolve } = createRequire(import.meta.url)
const fileOf = (name: string): Buffer => readFileSync(resolve(`@expo-google-fonts/inter/${name}`))

export const faceFiles: Readonly<Record<Face, Buffer>> = {
  regular: fileOf('400Regular/Inter_400Regular.ttf'),
  bold: fileOf('600SemiBold/Inter_600SemiBold.ttf'),
}

/** Both faces have the same characters; barcode.test.ts checks it. */
export const charactersOf = (face: Face): ReadonlySet<number> => {
  const font = create(faceFiles[face])
  if (!('characterSet' in font)) throw new Error(`the typeface ${face} is a collection`)
  return new Set(font.characterSet)
}

const characters = charactersOf('regular')
const has = (text: string): boolean => [...text].every((one) => characters.has(one.codePointAt(0) ?? 0))

/** Stands for a character that the typeface does not have. */
export const placeholder = '\u25a1'

const scripts = [
  ...['Arab', 'Hebr', 'Hani', 'Hira', 'Kana', 'Hang', 'Bopo', 'Thai', 'Deva', 'Beng', 'Guru', 'Gujr', 'Taml', 'Telu'],
  ...['Knda', 'Mlym', 'Sinh', 'Laoo', 'Khmr', 'Mymr', 'Tibt', 'Geor', 'Armn', 'Ethi', 'Mong', 'Syrc', 'Thaa', 'Cher'],
  ...['Grek', 'Cyrl', 'Latn'],
].map((code) => [code, new RegExp(`\\p{Script=${code}}`, 'u')] as const)

const scriptOf = (character: string): string => scripts.find(([, pattern]) => pattern.test(character))?.[0] ?? 'Zzzz'

/** What has no width or changes the direction of text. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{VS}\u2028\u2029]/gu
const space = /\p{Zs}/u
const mark = /\p{M}/u

/** One line of text as the typeface can print it. Scripts that it does not have are added to `missing`. */
export function printable(text: string, missing: Set<string>): string {
  const plain = text
    .replaceAll(/[\t\v\f]/g, ' ')
    .normalize('NFC')
    .replaceAll(invisible, '')
  if (has(plain)) return plain
  let result = ''
  for (const character of plain) {
    if (has(character)) result += character
    else if (space.test(character)) result += ' '
    else if (has(character.normalize('NFKC'))) result += character.normalize('NFKC')
    else {
      missing.add(scriptOf(character))
      // A mark belongs to the character before it.
      if (!mark.test(character)) result += placeholder
    }
  }
  return result
}
