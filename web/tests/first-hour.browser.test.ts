// The first hour of a company, by clicking: from the sign-up to a shipped sale of what was imported, with opening stock. The steps are counted.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Catalog } from '../src/messages/catalog.ts'
import { messages as german } from '../src/messages/de.ts'
import { messages as english } from '../src/messages/en.ts'
import { assertNoOverflow, eventually, pageLoaded, shot, withPage } from './harness.ts'

type Texts = Catalog
type Files = {
  readonly materials: string
  readonly products: string
  readonly components: string
  readonly stock: string
}

const files: Readonly<Record<'en' | 'de', Files>> = {
  en: {
    materials: 'Name,SKU,Unit,Purchase price\nOak board,BOARD,pcs,12.50\nTable leg,LEG,pcs,4\n',
    products: 'Name,SKU,Unit,Price\nOak table,TABLE,pcs,"1,249.50"\nBench,BENCH,pcs,320\n',
    components: 'Product SKU,Component SKU,Quantity\nTABLE,BOARD,6\nTABLE,LEG,4\nBENCH,BOARD,3\n',
    stock: 'SKU,On hand,Unit cost\nBOARD,40,11.80\nLEG,24,4\nTABLE,2,310\n',
  },
  de: {
    materials: 'Bezeichnung;Artikelnummer;Einheit;EK\nEichenbrett;BOARD;Stk;12,50\nTischbein;LEG;Stk;4\n',
    products: 'Bezeichnung;Artikelnummer;Einheit;VK\nEichentisch;TABLE;Stk;1.249,50\nBank;BENCH;Stk;320\n',
    components: 'Artikelnummer des Produkts;Bestandteil;Menge\nTABLE;BOARD;6\nTABLE;LEG;4\nBENCH;BOARD;3\n',
    stock: 'Artikelnummer;Bestand;EK\nBOARD;40;11,80\nLEG;24;4\nTABLE;2;310\n',
  },
}

/** The most clicks, entries, pages and files that it takes. */
const mostSteps = 45

/** Clicks, entries, opened pages and chosen files, counted. */
class Steps {
  taken = 0
  readonly #page: Page
  constructor(page: Page) {
    this.#page = page
  }
  async click(target: Locator): Promise<void> {
    await target.click()
    this.taken += 1
  }
  async enter(field: Locator, text: string): Promise<void> {
    await field.fill(text)
    this.taken += 1
  }
  async open(path: string): Promise<void> {
    await this.#page.goto(path)
    this.taken += 1
  }
  async choose(name: string, content: string): Promise<void> {
    await this.#page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
    this.taken += 1
  }
}

async function importFile(page: Page, steps: Steps, texts: Texts, name: keyof Files, content: string): Promise<void> {
  const { imports } = texts
  await page.getByRole('heading', { name: imports.title, level: 1 }).waitFor()
  const kind = page.getByRole('combobox', { name: imports.kind })
  if ((await kind.inputValue()) !== imports.kinds[name]) {
    await steps.click(kind)
    await steps.click(page.getByRole('option', { name: imports.kinds[name], exact: true }))
  }
  await steps.choose(`${name}.csv`, content)
  if (name === 'stock') {
    await steps.click(page.getByRole('combobox', { name: imports.storage }))
    await steps.click(page.getByRole('option').first())
  }
  await steps.click(page.getByRole('button', { name: imports.check, exact: true }))
  const run = page.getByRole('button', {
    name: imports.run(content.trim().split('\n').length - (name === 'components' ? 2 : 1)),
  })
  const missing = page.getByRole('button', { name: imports.createMissing })
  await run.or(missing).first().waitFor()
  if (await missing.isVisible()) await steps.click(missing)
  await run.waitFor()
  await assertNoOverflow(page)
  await steps.click(run)
  await page.getByText(imports.done, { exact: true }).waitFor()
}

for (const [device, size] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  for (const [language, texts, locale] of [
    ['en', english, 'en-GB'],
    ['de', german, 'de-DE'],
  ] as const)
    test(`a new company imports its items and stock, and ships a sale: ${device}, ${language}`, async (t) => {
      await withPage({ path: '/sign-up', locale, ...size }, async (page) => {
        const steps = new Steps(page)
        const { access, dashboard, sales, kit } = texts
        const field = (label: string): Locator => page.getByRole('textbox', { name: label })
        await steps.enter(field(access.company), 'Tischlerei Eiche')
        await steps.enter(field(access.name), 'Anna')
        await steps.enter(field(access.email), `anna-${randomUUID()}@example.com`)
        await steps.enter(field(access.password), 'a long password indeed')
        await steps.click(page.getByRole('button', { name: access.signUp, exact: true }))

        const first = page.getByRole('region', { name: dashboard.firstSteps.title })
        const toImport = first.getByRole('link', { name: dashboard.firstSteps.import })
        await assertNoOverflow(page)
        await shot(page, `first-hour-steps-${device}-${language}`)
        await steps.click(toImport.first())
        await importFile(page, steps, texts, 'materials', files[language].materials)
        for (const name of ['products', 'components', 'stock'] as const) {
          await steps.open(name === 'products' ? '/' : '/import')
          // On Home, items are a step until there is a product.
          if (name === 'products') await steps.click(toImport.first())
          await importFile(page, steps, texts, name, files[language][name])
        }
        await steps.open('/')
        await first.getByText(dashboard.firstSteps.progress(2, 7)).waitFor()
        await steps.click(first.getByRole('link', { name: dashboard.firstSteps.steps.sale.label }))

        await steps.enter(
          page.getByRole('combobox', { name: sales.field.customer_id }).or(field(sales.field.customer_id)).first(),
          'Berta Blum',
        )
        await steps.click(page.getByRole('option', { name: /Berta Blum/ }))
        await steps.click(page.getByRole('dialog').getByRole('button', { name: sales.customer.add }))
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await steps.enter(page.getByRole('textbox', { name: kit.lines.add }), 'TABLE')
        await steps.click(page.getByRole('option', { name: /TABLE/ }).first())
        await pageLoaded(page)
        await steps.click(page.getByRole('button', { name: sales.create, exact: true }))
        await page.waitForURL(/\/sales\/\d+$/)
        await assertNoOverflow(page)
        await steps.click(page.getByRole('button', { name: sales.act.ship, exact: true }))
        const agree = page.getByRole('dialog').getByRole('button', { name: sales.act.ship, exact: true })
        await eventually(async () => assert.ok(await agree.isEnabled()))
        await steps.click(agree)
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await shot(page, `first-hour-shipped-${device}-${language}`)
        // The cost of the table is that of the opening stock.
        await page
          .getByText(language === 'de' ? /939,50/ : /939\.50/)
          .first()
          .waitFor()
        await steps.open('/')
        await first.getByText(dashboard.firstSteps.progress(4, 7)).waitFor()
        await shot(page, `first-hour-home-${device}-${language}`)
        t.diagnostic(`${steps.taken} steps`)
        assert.ok(steps.taken <= mostSteps, `${steps.taken} steps`)
      })
    })
