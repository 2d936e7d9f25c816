// Every screen in German and Russian: no text is cut off or wider than its box, no label of a button, tab or badge wraps, no short word is broken, and
// nothing is left in English. And the user's choice of a language.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { given } from '../../server/test/harness/given.ts'
import { messages as german } from '../src/messages/de.ts'
import { messages as english } from '../src/messages/en.ts'
import { messages as russian } from '../src/messages/ru.ts'
import { assertListFits, type DemoScreens, demoScreens } from './demo-screens.ts'
import { assertNoOverflow, eventually, pageLoaded, shot, withPage } from './harness.ts'
import { shop, sold } from './shop.ts'

let demo: DemoScreens
before(async () => {
  demo = await demoScreens()
})

/** Runs in the page. Labels of controls may neither wrap nor end in an ellipsis; a name may end in one. */
function badTexts(): string[] {
  const control =
    '.mantine-Button-root, [role="tab"], [class*="badge"], .mantine-Badge-root, .mantine-SegmentedControl-label, nav a, th'
  const found: string[] = []
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const text = node.nodeValue?.trim() ?? ''
    const element = node.parentElement
    if (text === '' || element === null || !element.checkVisibility({ visibilityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const lines = [...range.getClientRects()].filter(({ width }) => width > 1)
    if (lines.length === 0) continue
    const label = element.closest(control)
    const tops = new Set(lines.map(({ top }) => Math.round(top / 4)))
    if (label !== null && label.tagName !== 'TH' && tops.size > 1) found.push(`wraps: ${text}`)
    if (tops.size > 1 && element.closest('pre, code') === null)
      for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/[^\s-]+/gu)) {
        // Addresses and codes may be broken.
        if (!/^[\p{L}\p{N}.,:]{2,14}$/u.test(word)) continue
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const starts = [...range.getClientRects()]
          .filter(({ width }) => width > 1)
          .map(({ top }) => Math.round(top / 4))
        if (new Set(starts).size > 1) found.push(`broken: ${word}`)
      }
    const right = Math.max(...lines.map((line) => line.right))
    for (let box: Element | null = element; box !== null && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box)
      // Only for screen readers.
      if (style.position === 'absolute' && box.clientWidth <= 1) break
      if (style.overflowX === 'auto' || style.overflowX === 'scroll') break
      if (style.display === 'inline') continue
      const isCut = right > box.getBoundingClientRect().right + 1.5
      const clips = style.overflowX === 'hidden' || style.overflowX === 'clip'
      if (isCut && clips && (style.textOverflow !== 'ellipsis' || label !== null))
        found.push(`cut off: ${text} in ${box.tagName} ${box.className}`)
      else if (isCut && !clips && style.position !== 'absolute' && box.querySelector(':scope > *') === null)
        found.push(`wider than its box: ${text}`)
      if (isCut || clips) break
    }
  }
  // Numbers and days are read whole, names may be longer than their field.
  for (const field of document.querySelectorAll('input'))
    if (field.value.length <= 12 && field.checkVisibility() && field.scrollWidth > field.clientWidth + 1)
      found.push(`cut off: ${field.value} in a field of ${field.clientWidth} px`)
  return [...new Set(found)]
}

/** Runs in the page. Every text that is seen or read aloud. */
function shownTexts(): string[] {
  const texts = new Set<string>()
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) texts.add(node.nodeValue?.trim() ?? '')
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
    for (const name of ['aria-label', 'placeholder', 'title']) texts.add(element.getAttribute(name)?.trim() ?? '')
  return [...texts]
}

const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : []

/** Texts that exist in English only, except those that are also names in the data. */
const onlyEnglish = (other: object, inData: readonly string[]): Set<string> =>
  new Set(textsOf(english)).difference(new Set(textsOf(other))).difference(new Set(inData))

/** Runs in the page. The demo of the tests has few records; a list has many. */
function countThousands(): void {
  const count = document.querySelector('h1 + p')
  if (count !== null && /^\d/.test(count.textContent)) count.textContent = '8.888'
}

async function assertFitsAndIsTranslated(page: Page, foreign: ReadonlySet<string>): Promise<void> {
  await page.evaluate(countThousands)
  await assertNoOverflow(page)
  assert.deepEqual(await page.evaluate(badTexts), [])
  assert.deepEqual(
    (await page.evaluate(shownTexts)).filter((text) => foreign.has(text)),
    [],
  )
}

/** A storage location, and types in the API reference. */
const names = ['Materials', 'or', 'object', 'reserved']
const inGerman = onlyEnglish(german, names)
const inRussian = onlyEnglish(russian, names)

test('every screen fits in German on a small window', async () => {
  await demo.setDocumentLanguage('de')
  await demo.checkEach({ width: 1280, locale: 'de-DE' }, async (page, { name }) => {
    await shot(page, `de-1280-${name}`)
    await assertListFits(page)
    await assertFitsAndIsTranslated(page, inGerman)
  })
})

test('every screen fits in German on a phone', async () => {
  await demo.setDocumentLanguage('de')
  await demo.checkEach({ width: 390, height: 844, locale: 'de-DE' }, async (page, { name }) => {
    await shot(page, `de-390-${name}`)
    await assertListFits(page)
    await assertFitsAndIsTranslated(page, inGerman)
  })
})

test('every screen fits in Russian on a small window', async () => {
  await demo.setDocumentLanguage('ru')
  await demo.checkEach({ width: 1280, locale: 'ru-RU' }, async (page, { name }) => {
    await shot(page, `ru-1280-${name}`)
    await assertListFits(page)
    await assertFitsAndIsTranslated(page, inRussian)
  })
})

test('the navigation fits in English', async () => {
  const { owner } = await shop()
  await withPage({ user: owner, path: '/', width: 1280 }, async (page) => {
    await pageLoaded(page)
    assert.deepEqual(await page.evaluate(badTexts), [])
  })
})

test('the language is chosen on the sign-in page, and kept; the texts and the names of months are in it', async () => {
  const place = await shop()
  const id = await sold(place, { date_placed: '2026-03-05' })
  await withPage({ path: '/sign-in' }, async (page) => {
    await page.getByRole('heading', { name: english.access.signInTitle }).waitFor()
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: german.access.signInTitle }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await page.reload()
    await page.getByRole('button', { name: german.access.signIn, exact: true }).waitFor()
  })
  await withPage({ user: place.owner, path: '/settings/profile' }, async (page) => {
    await page.getByRole('combobox', { name: english.settings.profile.language }).click()
    await page.getByRole('option', { name: 'Русский' }).click()
    await page.getByRole('heading', { name: russian.settings.places.profile }).waitFor()
    await page.goto(`/sales/${id}`)
    await page
      .getByRole('button', { name: russian.kit.day.open(russian.sales.field.date_placed) })
      .first()
      .click()
    // A British browser with Russian screens: months and sums as Russian writes them.
    await page
      .getByText(/март 2026/)
      .first()
      .waitFor()
    await page
      .getByText(/440,00/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.goto('/settings/profile')
    await page.getByRole('combobox', { name: russian.settings.profile.language }).click()
    await page.getByRole('option', { name: russian.settings.profile.automatic }).click()
    await page.getByRole('heading', { name: english.settings.places.profile }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'en')
  })
})

test('a user whose browser asks for German first sees German, with errors of the server too', async () => {
  const company = await given.company({})
  const user = await given.user(company, 'owner')
  await withPage({ user, path: '/products/new', locale: 'de-AT' }, async (page) => {
    await page.getByRole('button', { name: german.catalog.create(german.catalog.kinds.product.one) }).click()
    await page.getByText('Geben Sie einen Namen ein.').waitFor()
    await eventually(async () => assert.equal(await page.title(), `${german.catalog.kinds.product.add} · Kontor`))
  })
})
