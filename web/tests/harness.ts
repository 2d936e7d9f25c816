// What the tests of the screens stand on: a real browser on the real server, people of a company signed in, and what must be true of
// every page they open: no error in its console, nothing refused by the content security policy.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { url } from '../../server/testing/app.ts'
import type { User } from '../../server/testing/given.ts'
import { settled } from './settled.ts'

export { settled }

let started: Promise<Browser> | undefined

function browser(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--force-color-profile=srgb'],
  })
  return started
}

after(async () => {
  await (await started)?.close()
})

export type PageWish = {
  /** Who is signed in; nobody when absent. */
  readonly user?: User
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  /** Where to go at once. */
  readonly path?: string
}

const complaints = new WeakMap<Page, string[]>()

/** A page in a window of its own; ended and judged by `withPage`. */
async function openPage({ user, width = 1440, height = 900, scheme = 'light', path }: PageWish): Promise<Page> {
  const context = await (await browser()).newContext({
    baseURL: url(),
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...(width < 600 ? { hasTouch: true, isMobile: true } : {}),
  })
  context.setDefaultTimeout(20_000)
  if (user !== undefined) await signIn(context, user)
  const page = await context.newPage()
  const heard: string[] = []
  complaints.set(page, heard)
  page.on('pageerror', (error) => heard.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    // Refusals of the server are part of many tests, and the browser tells each as a failed resource.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) heard.push(message.text())
  })
  if (path !== undefined) await page.goto(path)
  return page
}

async function signIn(context: BrowserContext, user: User): Promise<void> {
  const [name = '', value = ''] = user.cookie.split('=')
  const at = new URL(url())
  await context.addCookies([{ name, value, domain: at.hostname, path: '/', secure: true, httpOnly: true }])
}

/** Runs a test in a page of its own. What went wrong in the page fails the test, also when nobody looked. */
export async function withPage(wish: PageWish, run: (page: Page) => Promise<void>): Promise<void> {
  const page = await openPage(wish)
  try {
    await run(page)
    assert.deepEqual(complaints.get(page), [], 'the page complained in its console')
  } catch (error) {
    const folder = process.env['KONTOR_SHOTS']
    if (folder !== undefined) await page.screenshot({ path: `${folder}/failed-${Date.now()}.png` }).catch(() => {})
    throw error
  } finally {
    await page.context().close()
  }
}

/** A picture of the page into the folder named by KONTOR_SHOTS; nothing where none is named. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['KONTOR_SHOTS']
  if (folder === undefined) return
  await settled(page)
  await page.screenshot({ path: `${folder}/${name}.png` })
}

/** Nothing stands outside the window: no page scrolls sideways. */
export async function assertNoOverflow(page: Page): Promise<void> {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok((wide ?? 0) <= (window ?? 0), `the page is ${wide} px wide in a window of ${window} px`)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Finding = {
  id: string
  impact: string | null
  help: string
  nodes: { target: unknown[]; failureSummary: string }[]
}

type Axe = { run: (options: object) => Promise<{ violations: Finding[] }> }

/** What of a page another colour scheme can change. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** axe-core finds nothing serious or critical. */
export async function assertAccessible(page: Page): Promise<void> {
  await assertNothingGrave(page, {})
}

/** The same of colours alone, for a page whose other scheme has been looked at. */
export async function assertColoursAccessible(page: Page): Promise<void> {
  await assertNothingGrave(page, { runOnly: rulesOfColour })
}

async function assertNothingGrave(page: Page, options: object): Promise<void> {
  await settled(page)
  await page.evaluate(axe)
  const found = await page.evaluate(
    async (given) => (await (globalThis as unknown as { axe: Axe }).axe.run(given)).violations,
    options,
  )
  const grave = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const told = grave.map(({ id, help, nodes }) => [
    id,
    help,
    ...nodes.map((node) => `${node.target}: ${node.failureSummary}`),
  ])
  assert.deepEqual(told, [], `${page.url()} is not accessible`)
}
