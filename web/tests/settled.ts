// When a page may be looked at: nothing is on its way any more.

import type { Page } from 'playwright-core'

/** Waits until nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(
    () => document.querySelector('.mantine-Skeleton-root, [role="status"][aria-label="Loading"]') === null,
  )
}
