// The basis of the browser tests: a real browser against the real server, signed-in users, and checks that hold for every page:
// no error in its console, and nothing blocked by the content security policy.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { url } from '../../server/test/harness/app.ts'
import { newAddress } from '../../server/test/harness/browser.ts'
import type { User } from '../../server/test/harness/given.ts'
import { pageLoaded } from './page-loaded.ts'

export { pageLoaded }

/** Long enough for a machine that is busy with other work. */
const patienceMs = 60_000

/** Started browsers by the video that their camera shows. */
const started = new Map<string, Promise<Browser>>()

function browser(video = ''): Promise<Browser> {
  const camera = ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${video}`]
  const launched =
    started.get(video) ??
    chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--force-color-profile=srgb', ...(video === '' ? [] : camera)],
    })
  started.set(video, launched)
  return launched
}

async function closeBrowser(video: string): Promise<void> {
  const launched = started.get(video)
  started.delete(video)
  await (await launched)?.close()
}

after(async () => {
  for (const video of started.keys()) await closeBrowser(video)
})

export type PageOptions = {
  /** The signed-in user; none when absent. */
  readonly user?: User
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  /** The browser's locale; British by default. */
  readonly locale?: string
  /** The address to open. */
  readonly path?: string
  /** The device has a camera that shows this video (YUV4MPEG2). */
  readonly camera?: string
  /** The user does not allow the camera. */
  readonly refusesCamera?: boolean
}

/** Of a browser context: an address of its own. Sign-ups, for example, are limited by address, and all browsers run on this machine. */
export const fromNewAddress = () => ({ extraHTTPHeaders: { 'x-forwarded-for': newAddress() } })

const consoleErrors = new WeakMap<Page, string[]>()

/** A page in its own browser context; closed and checked by `withPage`. */
async function openPage({
  user,
  width = 1440,
  height = 900,
  scheme = 'light',
  locale = 'en-GB',
  path,
  camera,
  refusesCamera = false,
}: PageOptions): Promise<Page> {
  const context = await (await browser(camera)).newContext({
    baseURL: url(),
    viewport: { width, height },
    colorScheme: scheme,
    locale,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...fromNewAddress(),
    ...(width < 600 ? { hasTouch: true, isMobile: true } : {}),
  })
  context.setDefaultTimeout(patienceMs)
  // What is not granted is refused without a question.
  if (camera !== undefined) await context.grantPermissions(refusesCamera ? [] : ['camera'])
  if (user !== undefined) await signIn(context, user)
  const page = await context.newPage()
  const errors: string[] = []
  consoleErrors.set(page, errors)
  page.on('pageerror', (error) => errors.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    // Errors from the server are part of many tests, and the browser logs each as a failed resource.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  if (path !== undefined) await page.goto(path)
  return page
}

async function signIn(context: BrowserContext, user: User): Promise<void> {
  const [name = '', value = ''] = user.cookie.split('=')
  const at = new URL(url())
  await context.addCookies([{ name, value, domain: at.hostname, path: '/', secure: true, httpOnly: true }])
}

/** Runs a test in its own page. Errors in the page's console fail the test. */
export async function withPage(options: PageOptions, run: (page: Page) => Promise<void>): Promise<void> {
  const page = await openPage(options)
  try {
    await run(page)
    assert.deepEqual(consoleErrors.get(page), [], 'errors in the console of the page')
  } catch (error) {
    const folder = process.env['KONTOR_SHOTS']
    if (folder !== undefined) await page.screenshot({ path: `${folder}/failed-${Date.now()}.png` }).catch(() => {})
    throw error
  } finally {
    await page.context().close()
    if (options.camera !== undefined) await closeBrowser(options.camera)
  }
}

/** Repeats an assertion about a page until it holds, because the page may still be loading; after a minute throws the assertion's error. */
export async function eventually(assertion: () => Promise<void>): Promise<void> {
  const end = performance.now() + patienceMs
  for (;;) {
    try {
      await assertion()
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await setTimeout(50)
    }
  }
}

/** Holds requests back until the returned function is called. */
export async function holdRequests(page: Page, pattern: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** The value of a field, as soon as the page has filled it in. */
export async function assertValue(field: Locator, expected: string, message?: string): Promise<void> {
  await eventually(async () => assert.equal(await field.inputValue(), expected, message))
}

/** The row of a list that contains a link of this name. */
export const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name }) })

/** The button that shows the status of a document and changes it. */
export const statusButton = (page: Page, status: string): Locator =>
  page.getByRole('button', { name: `${status}. Change status` })

/** Saves a screenshot in the folder named by KONTOR_SHOTS, if it is set. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['KONTOR_SHOTS']
  if (folder === undefined) return
  await pageLoaded(page)
  await page.screenshot({ path: `${folder}/${name}.png` })
}

/** No page scrolls sideways. */
export async function assertNoOverflow(page: Page): Promise<void> {
  const [pageWidth, windowWidth] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok((pageWidth ?? 0) <= (windowWidth ?? 0), `the page is ${pageWidth} px wide in a window of ${windowWidth} px`)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Finding = {
  id: string
  impact: string | null
  help: string
  nodes: { target: unknown[]; failureSummary: string }[]
}

type Axe = { run: (options: object) => Promise<{ violations: Finding[] }> }

/** The rules whose result depends on the colour scheme. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** axe-core finds no serious or critical violation. */
export async function assertAccessible(page: Page): Promise<void> {
  await assertNoSeriousViolations(page, {})
}

/** The same for colours only, for a page that was checked in the other scheme. */
export async function assertColoursAccessible(page: Page): Promise<void> {
  await assertNoSeriousViolations(page, { runOnly: colourRules })
}

async function assertNoSeriousViolations(page: Page, options: object): Promise<void> {
  await pageLoaded(page)
  await page.evaluate(axe)
  const found = await page.evaluate(
    async (given) => (await (globalThis as unknown as { axe: Axe }).axe.run(given)).violations,
    options,
  )
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const described = serious.map(({ id, help, nodes }) => [
    id,
    help,
    ...nodes.map((node) => `${node.target}: ${node.failureSummary}`),
  ])
  assert.deepEqual(described, [], `${page.url()} is not accessible`)
}

/** The description of a field for screen readers, in addition to its label: its hint and its error. */
export const describedBy = (field: Locator): Promise<string> =>
  field.evaluate((input) =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => input.ownerDocument.getElementById(id)?.textContent ?? '')
      .join(' '),
  )

/** Opens the form of the item or contact whose page is open, and returns it. */
export async function openEditor(page: Page, edit = 'Edit'): Promise<Locator> {
  await page.getByRole('button', { name: edit, exact: true }).click()
  const drawer = page.getByRole('dialog')
  await drawer.waitFor()
  return drawer
}
