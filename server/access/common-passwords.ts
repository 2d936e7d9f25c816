// Passwords that guessing programs try first: a public list of common ones, and common patterns built from them.

import { readLines } from '../platform/process/data-files.ts'

/** Passwords in lower case, each with its rank in the list. */
type Ranks = ReadonlyMap<string, number>
let list: Ranks | undefined

// Read when the first password is set: most commands never need it.
function ranks(): Ranks {
  if (list !== undefined) return list
  const file = new URL('common-passwords.txt.gz', import.meta.url)
  list = new Map(readLines(file).map((password, rank) => [password, rank]))
  return list
}

/** A word up to this rank is common even with digits and symbols around it. Below it the list has only long passwords. */
const commonWords = 20_000
const shortestWord = 4

/** Whether a guesser would try it early. `known` is data about the user: email, name, company. */
export function isCommonPassword(password: string, known: readonly string[] = []): boolean {
  const lower = password.toLowerCase()
  const plain = withoutSubstitutes(lower)
  return (
    new Set(lower).size <= 3 ||
    [lower, plain].some((text) => ranks().has(text) || isWordWithDigits(text)) ||
    isRepetition(lower) ||
    isMadeOfRuns(lower) ||
    isMadeOf(lower, known)
  )
}

const substitutes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** `p@ssw0rd2024!` as `password2024!`: only between the first and the last letter. */
const withoutSubstitutes = (text: string): string =>
  text.replace(/\p{L}.*\p{L}/u, (inner) => inner.replace(/[013457@$!]/g, (sign) => substitutes[sign] ?? sign))

/** `monkey2024!`, `123qwerty456`: one common word, the rest digits and symbols. */
function isWordWithDigits(text: string): boolean {
  const [word = '', ...more] = text.split(/\P{L}+/u).filter((part) => part !== '')
  if (more.length > 0 || word === '') return false
  return (ranks().get(word) ?? commonWords) < commonWords
}

/** `abcabcabcabc`, `monkeymonkey`: a few characters, or a common password, repeated. */
function isRepetition(text: string): boolean {
  const length = (text + text).indexOf(text, 1)
  if (length === text.length) return false
  const part = text.slice(0, length)
  return length < shortestWord || ranks().has(part) || isMadeOfRuns(part)
}

const keyboards = [
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
]
const columns = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '1q2w3e4r5t6y7u8i9o0p']
const sequences = [...keyboards, ...columns, '01', 'abcdefghijklmnopqrstuvwxyz']
const pairsOf = (text: string): string[] => Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2))
const neighbours = new Set(sequences.flatMap((one) => [...pairsOf(one), ...pairsOf([...one].reverse().join(''))]))

/** `1234567890`, `qwertyuiop`, `1qaz2wsx3edc`: runs along digits, alphabet or keyboard, averaging four characters or more. With three, one in 7,000
 * random passwords was refused. */
function isMadeOfRuns(text: string): boolean {
  const breaks = pairsOf(text).filter((pair) => pair[0] !== pair[1] && !neighbours.has(pair))
  return (breaks.length + 1) * 4 <= text.length
}

const lettersAndDigits = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** `adaoak2024` for ada.oak@example.com: words from the user's data and almost nothing else. */
function isMadeOf(password: string, known: readonly string[]): boolean {
  const words = known.flatMap((text) => [text.split('@', 1)[0] ?? '', ...text.split(/[^\p{L}\p{N}]+/u)])
  const parts = words.map(lettersAndDigits).filter((word) => word.length >= shortestWord)
  let rest = lettersAndDigits(password)
  const whole = rest.length
  for (const part of parts.toSorted((a, b) => b.length - a.length)) rest = rest.replaceAll(part, '')
  return rest.length < whole && rest.replace(/\p{N}+/gu, '').length < shortestWord
}
