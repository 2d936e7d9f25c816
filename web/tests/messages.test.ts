// The catalogs of texts: every text is used, none is empty, no language has an English text left in it, and no screen
// contains a text that is not in a catalog. Long because every rule for texts has a sample that it refuses.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'vite'
import { languages, pickLanguage, pickLocale } from '../src/language.ts'
import { messages as german } from '../src/messages/de.ts'
import { messages as english } from '../src/messages/en.ts'
import { messages as russian } from '../src/messages/ru.ts'
import { statuses } from '../src/statuses.ts'

const source = join(import.meta.dirname, '..', 'src')
/** Written from the declarations of the server. */
const generated = ['methods.ts', 'statuses.ts', 'countries.ts']
const files = globSync('**/*.{ts,tsx}', { cwd: source })
  .filter((path) => !path.startsWith('messages/') && !generated.includes(path))
  .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }))
const code = files.map(({ text }) => text).join('\n')

type Leaf = { readonly path: readonly string[]; readonly text: string }

/** Every text; a function as its source. */
function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value === 'function') return [{ path, text: String(value) }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]))
}

/** Named in the code, or in a group that the code reads as a whole or by a variable. */
function isUsed(path: readonly string[]): boolean {
  const escaped = (key: string): string => key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const [leaf = '', ...groups] = path.toReversed()
  if (new RegExp(`(?<![\\w$])${escaped(leaf)}(?![\\w$])`).test(code)) return true
  const section = groups.pop() ?? ''
  return (
    groups.some((group) => new RegExp(`[.\\w]${escaped(group)}(?![\\w$.]|\\?\\.)`).test(code)) ||
    code.includes(`messages.${section}[`)
  )
}

test('every text of the catalog is used by a screen', () => {
  assert.ok(!isUsed(['settings', 'nobodyUsesThis']), 'the check finds an unused text')
  assert.ok(isUsed(['sales', 'title']))
  const unused = leavesOf(english)
    .filter(({ path }) => !isUsed(path))
    .map(({ path }) => path.join('.'))
  assert.deepEqual(unused, [])
})

test('the English labels of statuses are those of the API', () => {
  for (const [set, rows] of Object.entries(statuses)) {
    const labels: Readonly<Record<string, string>> = english.states.statuses[set as keyof typeof statuses]
    assert.deepEqual(labels, Object.fromEntries(rows.map(({ name, label }) => [name, label])), set)
  }
})

/** The same in every language: names, units, formats, and words that the languages share. */
const isShared = (text: string): boolean => !/[a-z]{3,} [a-z]{2,} [a-z]{2,}/i.test(text)

/** What is wrong with a catalog, compared with the English one. */
function complaintsAbout(catalog: object): string[] {
  const texts = new Map(leavesOf(catalog).map(({ path, text }) => [path.join('.'), text]))
  const wanted = new Map(leavesOf(english).map(({ path, text }) => [path.join('.'), text]))
  return [
    ...[...wanted.keys()].filter((path) => !texts.has(path)).map((path) => `${path} is missing`),
    ...[...texts.keys()].filter((path) => !wanted.has(path)).map((path) => `${path} is not in English`),
    ...[...texts].filter(([, text]) => text.trim() === '').map(([path]) => `${path} is empty`),
    ...[...texts]
      .filter(([path, text]) => wanted.get(path) === text && !isShared(text))
      .map(([path, text]) => `${path} is not translated: ${text}`),
  ]
}

test('a text that is missing, empty, left over or still in English is found', () => {
  const { toFix, ...rest } = english
  assert.ok(complaintsAbout(rest).includes('toFix.title is missing'))
  const wrong = { ...english, toFix: { ...toFix, title: ' ', former: 'Früher' } }
  const complaints = complaintsAbout(wrong)
  assert.ok(complaints.includes('toFix.title is empty') && complaints.includes('toFix.former is not in English'))
  assert.ok(complaints.some((one) => one.startsWith('toFix.help is not translated')))
  assert.deepEqual(
    leavesOf(english)
      .filter(({ text }) => text.trim() === '')
      .map(({ path }) => path.join('.')),
    [],
  )
})

const catalogs: Record<string, object> = {}
for (const language of Object.keys(languages))
  catalogs[language] = ((await import(`../src/messages/${language}.ts`)) as { messages: object }).messages

/** The rows of the table in docs/vocabulary.md: words by language, and the path of the text. */
const vocabulary = readFileSync(join(source, '..', '..', 'docs', 'vocabulary.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\|.*`[\w.]+` \|$/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, , en = '', de = '', ru = '', path = '']) => ({ words: { en, de, ru }, path: path.replaceAll('`', '') }))

test('the catalogs use the words of the vocabulary', () => {
  assert.ok(vocabulary.length >= 40, `only ${vocabulary.length} words were read`)
  const textAt = (catalog: object, path: string): unknown =>
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], catalog)
  const different = vocabulary.flatMap(({ words, path }) =>
    Object.entries(words)
      .filter(([language, word]) => language in catalogs && textAt(catalogs[language] ?? {}, path) !== word)
      .map(([language, word]) => `${path} is not ${word} in ${language}`),
  )
  assert.deepEqual(different, [])
})

/** Words that were replaced, found in texts and not in the names of texts. */
const replaced: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  en: [
    [/\baudits?\b/i, 'stocktake'],
    [/\bresources?\b/i, 'labour or service'],
    [/\bState\b/, 'Status'],
    [/\bis made$/, 'created'],
    [/\bthe books\b/i, 'recorded stock'],
    [/\bcost of one\b/i, 'unit cost'],
    [/\bmeanwhile\b/i, 'say what to do'],
    [/\bgo on\b/i, 'continue'],
    [/\bstands?\b/i, 'is'],
  ],
  de: [
    [/\bProduktion(en)?\b/, 'Fertigung, Fertigungsauftrag'],
    [/\bLagerplatz\b|\bStandort\b/, 'Lagerort'],
    [/\bSKU\b/, 'Artikelnummer'],
    [/\bEinstandspreis\b/, 'Stückkosten'],
    [/\b([Dd]u|[Dd]ein)\b/, 'Sie'],
  ],
  ru: [
    [/[Мм]ест[аоу] хранения/, 'склад'],
    [/SKU/, 'артикул'],
    [/[Кк]лиент/, 'покупатель'],
  ],
}

for (const [language, catalog] of Object.entries(catalogs))
  if (language !== 'en')
    test(`the texts in ${language} are complete and translated`, () => {
      assert.deepEqual(complaintsAbout(catalog), [])
    })

test('a noun agrees with its number', () => {
  const [de, ru] = [german.sales.ask, russian.sales.ask]
  assert.equal(de.shipLead(de.many(1)), '1 Verkauf wird versendet')
  assert.equal(de.shipLead(de.many(2)), '2 Verkäufe werden versendet')
  assert.equal(de.shipLead(de.one('A-1')), 'Verkauf A-1 wird versendet')
  const sales = [1, 2, 5, 11, 21, 22, 112].map((n) => ru.many(n).split(' ')[1])
  assert.deepEqual(sales, ['продажу', 'продажи', 'продаж', 'продаж', 'продажу', 'продажи', 'продаж'])
})

test('no text uses a word that was replaced', () => {
  const found = (language: string, catalog: object): string[] =>
    leavesOf(catalog).flatMap(({ path, text }) =>
      (replaced[language] ?? [])
        .filter(([word]) => word.test(spokenOf(text)))
        .map(([word, instead]) => `${path.join('.')} in ${language}: ${String(word)}, write ${instead}`),
    )
  assert.equal(found('en', { a: 'Delete audit?', b: (audit: string) => `Open ${audit}` }).length, 1)
  assert.deepEqual(
    Object.entries(catalogs).flatMap(([language, catalog]) => found(language, catalog)),
    [],
  )
})

/** A text, or the strings in the source of a function. */
function spokenOf(text: string): string {
  if (!text.includes('=>')) return text
  const strings = [...text.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(
    ([, quoted = '', template = '']) => quoted + template,
  )
  return strings.join(' ').replace(/\$\{[^}]*\}/g, '…')
}

type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown }

/** Attributes and properties whose text is for people. */
const spoken = new Set(['label', 'placeholder', 'title', 'aria-label', 'description', 'alt', 'error', 'message'])
const hasWord = /\p{L}{2}/u
/** Several words that begin with a capital: a sentence or a heading, wherever it is written. */
const isSentence = /^\s*\p{Lu}\p{Ll}* \p{L}/u

/** Texts for people in the code of a file. Errors are thrown for developers. */
function textsIn(path: string, text: string): string[] {
  const found: string[] = []
  const keep = (node: Node, value: unknown): void => {
    found.push(`${path}:${text.slice(0, node.start).split('\n').length}: ${String(value).trim()}`)
  }
  const walk = (node: unknown, isSpoken: boolean): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, isSpoken)
    if (node === null || typeof node !== 'object' || !('type' in node)) return
    const one = node as Node
    const value = one.type === 'TemplateElement' ? (one['value'] as { cooked: string }).cooked : one['value']
    if (one.type === 'NewExpression' && /Error$/.test((one['callee'] as { name?: string }).name ?? '')) return
    if (one.type === 'ImportDeclaration') return
    if (one.type === 'JSXText' && hasWord.test(String(value))) keep(one, value)
    if (one.type === 'Literal' || one.type === 'TemplateElement')
      if (typeof value === 'string' && (isSpoken ? hasWord : isSentence).test(value)) keep(one, value)
    // A condition or a function inside of a label is no text.
    if (one.type === 'ConditionalExpression') {
      walk(one['test'], false)
      walk([one['consequent'], one['alternate']], isSpoken)
      return
    }
    const name = nameOf(one)
    const passesOn = isSpoken && /^(JSXExpressionContainer|TemplateLiteral|LogicalExpression)$/.test(one.type)
    for (const [key, child] of Object.entries(one))
      if (key !== 'key' && key !== 'name') walk(child, passesOn || (key === 'value' && spoken.has(name)))
  }
  walk(parseSync(path, text).program, false)
  return found
}

/** The name of an attribute or a property. */
function nameOf(node: Node): string {
  const named = node.type === 'JSXAttribute' ? node['name'] : node.type === 'Property' ? node['key'] : undefined
  const { name, value } = (named ?? {}) as { name?: unknown; value?: unknown }
  return typeof name === 'string' ? name : typeof value === 'string' ? value : ''
}

/** Code, protocols and names of records, which are the same in every language. */
const notForPeople = [
  'settings/own-examples.ts: New product',
  'settings/own-examples.ts: New material',
  'settings/own-examples.ts: New customer',
  'settings/own-examples.ts: New supplier',
  'settings/reference-method.tsx: POST',
  'settings/single-sign-on.tsx: https://',
  'settings/webhook-fields.tsx: https://',
]

test('a text in the code of a screen is found', () => {
  const inFile = (text: string): string[] => textsIn('a.tsx', text)
  assert.deepEqual(inFile('const a = <p>\n  Hello <b>{name}</b></p>'), ['a.tsx:1: Hello'])
  assert.deepEqual(inFile('const a = <Field label="amount" size="sm" />'), ['a.tsx:1: amount'])
  assert.deepEqual(inFile("const a = <Field title={isOn ? 'on' : texts.off} />"), ['a.tsx:1: on'])
  assert.deepEqual(inFile(['const a = <Field aria-label={`Count ', '{name}`} />'].join('$')), ['a.tsx:1: Count'])
  assert.deepEqual(inFile("notify('Sale saved')"), ['a.tsx:1: Sale saved'])
  assert.deepEqual(inFile("const column = { label: 'total', key: 'total' }"), ['a.tsx:1: total'])
  assert.deepEqual(inFile("import a from './a.ts'\nthrow new Error('The page is empty')"), [])
  assert.deepEqual(inFile("const a = <Field label={texts['name']} key='Name of it' />"), ['a.tsx:1: Name of it'])
})

test('no screen contains a text that is not in the catalog', () => {
  assert.ok(files.length > 150, `only ${files.length} files were read`)
  const found = files.flatMap(({ path, text }) => textsIn(path, text).map((one) => one.replace(/:\d+: /, ': ')))
  assert.deepEqual(
    found.filter((one) => !notForPeople.includes(one)),
    [],
  )
  assert.deepEqual(
    notForPeople.filter((one) => !found.includes(one)),
    [],
  )
})

test('the language is the chosen one, or the first of the browser that is offered, or English', () => {
  assert.equal(pickLanguage(null, ['fr-FR', 'de-AT', 'en-GB']), 'de')
  assert.equal(pickLanguage('ru', ['de-AT']), 'ru')
  assert.equal(pickLanguage(null, ['fr-FR']), 'en')
  assert.equal(pickLanguage('xx', ['fr-FR']), 'en')
  assert.equal(pickLanguage('toString', []), 'en')
})

test('numbers and dates have a locale of the language of the screens', () => {
  assert.equal(pickLocale(null, ['en-GB', 'de-DE']), 'en-GB')
  assert.equal(pickLocale(null, ['fr-FR', 'de-AT']), 'de-AT')
  assert.equal(pickLocale('de', ['en-GB']), 'de')
  assert.equal(pickLocale('de', ['en-GB', 'de-CH']), 'de-CH')
  assert.equal(pickLocale('ru', ['ru']), 'ru')
  assert.equal(pickLocale('en', ['de-DE']), 'en')
  assert.equal(pickLocale('en', ['de-DE', 'en-AU']), 'en-AU')
  // No language of the browser is offered: English with its formats.
  assert.equal(pickLocale(null, ['fr-FR', 'it-IT']), 'fr-FR')
  assert.equal(pickLocale(null, []), 'en')
})
