// Waiting for a page to finish loading, before it is checked or captured.

import type { Page } from 'playwright-core'

/** Waits until no request is running and no skeleton is shown. */
export async function pageLoaded(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(
    () => document.querySelector('.mantine-Skeleton-root, [role="status"][aria-label="Loading"]') === null,
  )
}
