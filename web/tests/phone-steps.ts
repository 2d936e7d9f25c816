// Steps by touch on a phone: taps that measure what they hit, and checks of what is in view.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { User } from '../../server/test/harness/given.ts'
import { messages as english } from '../src/messages/en.ts'
import { assertNoOverflow, eventually, pageLoaded, withPage } from './harness.ts'

export const size = { width: 390, height: 844 }
const thumb = 44

export const onPhone = (user: User, run: (page: Page) => Promise<void>): Promise<void> =>
  withPage({ user, path: '/', ...size }, run)

/** Runs in the page. Width and height of the area around the middle of a control in which a tap reaches the control. */
function tapArea(control: Element): [number, number] {
  const box = control.getBoundingClientRect()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  // A tap anywhere in a row of a list opens its record.
  const row = control.matches('a') ? control.closest('tr[data-row]') : null
  const whole = control.closest('label') ?? control
  const isReached = (hit: Element | null): boolean =>
    hit !== null && (whole.contains(hit) || (row?.contains(hit) === true && !hit.closest('a, button, input')))
  const reach = (across: number, down: number): number => {
    let px = 0
    while (px < 100 && isReached(document.elementFromPoint(x + across * px, y + down * px))) px += 0.5
    return px
  }
  return [reach(1, 0) + reach(-1, 0), reach(0, 1) + reach(0, -1)]
}

export async function assertThumbSized(control: Locator): Promise<void> {
  await control.waitFor()
  await control.scrollIntoViewIfNeeded()
  const [width, height] = await control.evaluate(tapArea)
  assert.ok(width >= thumb && height >= thumb, `${control} takes taps on ${width} × ${height} px`)
}

export async function tap(control: Locator): Promise<void> {
  await assertThumbSized(control)
  await control.tap()
}

export async function type(field: Locator, text: string): Promise<void> {
  await tap(field)
  await field.fill(text)
}

/** Not covered, and within the window as the page is scrolled now. */
export async function assertInView(control: Locator): Promise<void> {
  const box = await control.boundingBox()
  assert.ok(box !== null, `${control} is shown`)
  assert.ok(box.x >= 0 && box.x + box.width <= size.width, `${control} is at ${box.x} and ${box.width} px wide`)
  assert.ok(box.y >= 0 && box.y + box.height <= size.height, `${control} is at ${box.y} of ${size.height} px`)
  const isOnTop = await control.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
  assert.ok(isOnTop, `${control} is covered`)
}

/** The main action of a page stays in view, from the top of the page to its end. */
export async function assertMainAction(page: Page, action: Locator): Promise<void> {
  await action.waitFor()
  await pageLoaded(page)
  await assertNoOverflow(page)
  await assertInView(action)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await assertInView(action)
  await page.evaluate(() => scrollTo(0, 0))
}

export const tab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: english.frame.navigation }).getByRole('link', { name, exact: true })
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

/** Confirms in the dialog, whose button is in view without scrolling. */
export async function confirm(page: Page, name: string): Promise<void> {
  const agree = page.getByRole('dialog').getByRole('button', { name, exact: true })
  await eventually(async () => assert.ok(await agree.isEnabled()))
  await assertNoOverflow(page)
  await assertInView(agree)
  await tap(agree)
}

/** Closes the notifications, which cover what is below them. */
export async function dismiss(page: Page): Promise<void> {
  const notifications = page.locator('.mantine-Notification-root')
  for (let count = await notifications.count(); count > 0; count -= 1) {
    await tap(notifications.first().getByRole('button', { name: 'Close' }))
    await eventually(async () => assert.ok((await notifications.count()) < count))
  }
}
