// Steps by keyboard alone: the focus is moved to a control as users do, and keys are pressed there.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './harness.ts'

const mostKeys = 120

const hasFocus = (target: Locator): Promise<boolean> => target.evaluate((one) => one === document.activeElement)

/** Moves the focus to a control by Tab, or Shift+Tab where that is shorter, and checks that it can be seen there. */
export async function focus(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let pressed = 0; !(await hasFocus(target)); pressed++) {
    assert.ok(pressed < mostKeys, `${target} has no focus after ${mostKeys} times ${key}`)
    await page.keyboard.press(key)
  }
  const isShown = await target.evaluate(
    (one) => one.matches(':focus-visible') || one.closest(':focus-visible') !== null,
  )
  assert.ok(isShown, `the focus on ${target} is not visible`)
}

/** Enter on a link or a button. */
export async function enter(page: Page, target: Locator, key?: 'Shift+Tab'): Promise<void> {
  await eventually(async () => assert.ok(await target.isEnabled()))
  await focus(page, target, key)
  await page.keyboard.press('Enter')
}

/** Replaces the text of a field. */
export async function write(page: Page, field: Locator, text: string): Promise<void> {
  await focus(page, field)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Selects a tab: the focus enters the row of tabs at the selected one, and the arrows move it. */
export async function selectTab(page: Page, name: string): Promise<void> {
  const target = page.getByRole('tab', { name })
  await target.waitFor()
  await focus(page, page.getByRole('tablist').filter({ has: target }).getByRole('tab', { selected: true }))
  for (let pressed = 0; !(await hasFocus(target)); pressed++) {
    assert.ok(pressed < 10, `${target} has no focus`)
    await page.keyboard.press('ArrowRight')
  }
  await page.getByRole('tab', { name, selected: true }).waitFor()
}

/** Selects an entry of an open menu. */
export async function selectItem(page: Page, name: string): Promise<void> {
  const target = page.getByRole('menuitem', { name, exact: true })
  await target.waitFor()
  for (let pressed = 0; !(await hasFocus(target)); pressed++) {
    assert.ok(pressed < 20, `${target} has no focus`)
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

/** Selects an option of the list that has the focus. */
export async function selectOption(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ArrowDown')
  const selected = page.locator('[data-combobox-selected]')
  await page.getByRole('option', { name, exact: true }).waitFor()
  for (let pressed = 0; (await selected.allInnerTexts())[0] !== name; pressed++) {
    assert.ok(pressed < 20, `${name} is not selected`)
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

/** Opens a page of the navigation by its keys. */
export async function jump(page: Page, letter: string, heading: string): Promise<void> {
  await page.keyboard.press('g')
  await page.keyboard.press(letter)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}

/** Confirms the dialog that asks, whose button gets the focus when the effect is known. */
export async function agree(page: Page, name: string): Promise<void> {
  await enter(page, page.getByRole('dialog').getByRole('button', { name, exact: true }))
}

export const lineSearch = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Add a line: name, SKU or barcode' })
