// Screenshots of every screen with the demo data, in light and dark, and some on a phone and in German and Russian, saved in docs/screens/.
// Usage: npm run screens:shots -- [--folder F] [--only name,name] [--every G]
//   --folder F   the folder of a demo
//   --every G    every screen on a phone and in every language, saved in the folder G, to be looked at; docs/screens/ stays as it is

import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type RunningDemo, runDemo } from '../../server/test/harness/running-demo.ts'
import { everyScreen, type Screen } from './every-screen.ts'
import { pageLoaded } from './page-loaded.ts'
import { palettePng } from './palette-png.ts'

const onPhone = [
  'dashboard',
  'sales',
  'sale-in-parts',
  'production-board',
  'stock',
  'audit-count',
  'product',
  'settings-requests',
]
const translated = ['dashboard', 'sales', 'sale-in-parts', 'stock', 'product', 'settings-company']
const languages = { german: 'de-DE', russian: 'ru-RU' } as const
const sizes = {
  wide: { width: 1440, height: 900 },
  small: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const

const { values } = parseArgs({
  options: { folder: { type: 'string' }, only: { type: 'string' }, every: { type: 'string' } },
})
const only = values.only?.split(',')
const folder = values.every ?? join(import.meta.dirname, '..', '..', 'docs', 'screens')

async function openPage(
  browser: Browser,
  demo: RunningDemo,
  size: keyof typeof sizes,
  scheme: 'light' | 'dark',
  locale = 'en-GB',
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: demo.address,
    viewport: sizes[size],
    colorScheme: scheme,
    locale,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...(size === 'phone' ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
  })
  context.setDefaultTimeout(60_000)
  return await context.newPage()
}

async function signIn(page: Page, demo: RunningDemo): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(demo.owner)
  await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: /^Good / }).waitFor()
}

async function shoot(page: Page, { path }: Screen, file: string): Promise<void> {
  await page.goto(path)
  await pageLoaded(page)
  // Move the pointer away, so that no element is highlighted.
  await page.mouse.move(0, 0)
  await page.waitForTimeout(400)
  writeFileSync(join(folder, file), palettePng(await page.screenshot()))
}

/** Calls a method of the app API from the page. */
const callFrom =
  (page: Page) =>
  (path: string, body: object): Promise<never> =>
    page.evaluate(
      async ([to, text]) => {
        const response = await fetch(`/screens/${to}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: text,
        })
        return await response.json()
      },
      [path, JSON.stringify(body)] as const,
    ) as Promise<never>

async function shootAll(browser: Browser, demo: RunningDemo): Promise<void> {
  const setupPage = await openPage(browser, demo, 'wide', 'light')
  await signIn(setupPage, demo)
  const all = await everyScreen(callFrom(setupPage))
  const screens = only === undefined ? all : all.filter(({ name }) => only.includes(name))
  if (values.every !== undefined) await shootEvery(browser, demo, screens, setupPage)
  else await shootForDocs(browser, demo, screens, setupPage)
}

/** `signedIn` has a session. */
async function shootEvery(
  browser: Browser,
  demo: RunningDemo,
  screens: readonly Screen[],
  signedIn: Page,
): Promise<void> {
  for (const size of ['small', 'phone'] as const)
    for (const [language, locale] of Object.entries({ english: 'en-GB', ...languages })) {
      const outside = await openPage(browser, demo, size, 'light', locale)
      const inside = await openPage(browser, demo, size, 'light', locale)
      await inside.context().addCookies(await signedIn.context().cookies())
      for (const screen of screens)
        await shoot(screen.isOutside === true ? outside : inside, screen, `${screen.name}.${language}.${size}.png`)
    }
}

async function shootForDocs(
  browser: Browser,
  demo: RunningDemo,
  screens: readonly Screen[],
  signedIn: Page,
): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    const outside = await openPage(browser, demo, 'wide', scheme)
    const inside = await openPage(browser, demo, 'wide', scheme)
    await signIn(inside, demo)
    for (const screen of screens)
      await shoot(screen.isOutside === true ? outside : inside, screen, `${screen.name}.${scheme}.png`)
  }
  const phone = await openPage(browser, demo, 'phone', 'light')
  await signIn(phone, demo)
  for (const screen of screens.filter(({ name }) => onPhone.includes(name)))
    await shoot(phone, screen, `${screen.name}.phone.png`)
  for (const [language, locale] of Object.entries(languages)) {
    const page = await openPage(browser, demo, 'small', 'light', locale)
    await page.context().addCookies(await signedIn.context().cookies())
    for (const screen of screens.filter(({ name }) => translated.includes(name)))
      await shoot(page, screen, `${screen.name}.${language}.png`)
  }
}

mkdirSync(folder, { recursive: true })
if (only === undefined && values.every === undefined)
  for (const name of readdirSync(folder)) if (name.endsWith('.png')) rmSync(join(folder, name))
const temporary = values.folder === undefined ? await mkdtemp(join(tmpdir(), 'kontor-shots-')) : undefined
const demo = await runDemo(['--folder', values.folder ?? temporary ?? ''])
try {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--force-color-profile=srgb'] })
  await shootAll(browser, demo)
  await browser.close()
} finally {
  await demo.end()
  if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
}
const screenshots = readdirSync(folder).filter((name) => name.endsWith('.png'))
const bytes = screenshots.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
process.stdout.write(`${screenshots.length} screenshots, ${(bytes / 1e6).toFixed(1)} MB in ${folder}\n`)
