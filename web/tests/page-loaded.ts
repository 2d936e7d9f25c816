// Waiting for a page to finish loading, before it is checked or captured.

import type { Page } from 'playwright-core'
import { frame as german } from '../src/messages/de/frame.ts'
import { frame as english } from '../src/messages/en/frame.ts'
import { frame as russian } from '../src/messages/ru/frame.ts'

const waiting = [english, german, russian].map(({ loading }) => `[role="status"][aria-label="${loading}"]`)

/** Waits until no request is running, the screens have started and no skeleton is shown. */
export async function pageLoaded(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(
    (selector) => document.querySelector('#root > *') !== null && document.querySelector(selector) === null,
    ['.mantine-Skeleton-root', ...waiting].join(),
  )
}
