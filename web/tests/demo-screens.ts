// Every screen with the data of the demo, opened one after the other.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makeCompany } from '../../demo/company.ts'
import { url } from '../../server/test/harness/app.ts'
import { databaseUrl } from '../../server/test/harness/database.ts'
import { given } from '../../server/test/harness/given.ts'
import { type CallMethod, everyScreen, type Screen } from './every-screen.ts'
import { type PageOptions, pageLoaded, withPage } from './harness.ts'

type Check = (page: Page, screen: Screen) => Promise<void>

export type DemoScreens = {
  readonly screens: readonly Screen[]
  /** The company's documents are in this language from now on, and with them the page of a quote that the customer reads. */
  readonly setDocumentLanguage: (language: 'en' | 'de' | 'ru') => Promise<void>
  /** Opens each screen in one shared page, and collects the failures of all of them. */
  readonly checkEach: (options: PageOptions, check: Check) => Promise<void>
}

export async function demoScreens(): Promise<DemoScreens> {
  const { companyId } = await makeCompany(databaseUrl(), 21, () => {})
  const user = await given.user({ id: companyId }, 'owner')
  const call: CallMethod = async (path, body) => {
    const reply = await user.call(path, body)
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    return reply.body
  }
  const screens = await everyScreen(call)
  const setDocumentLanguage: DemoScreens['setDocumentLanguage'] = async (language) => {
    await call('company/edit_details', { document_language: language })
  }
  const checkEach = async (options: PageOptions, check: Check): Promise<void> => {
    const failures: string[] = []
    for (const isOutside of [true, false]) {
      const group = screens.filter((screen) => (screen.isOutside ?? false) === isOutside)
      await withPage({ ...options, ...(isOutside ? {} : { user }) }, async (page) => {
        const foreignRequests: string[] = []
        page.on('request', (request) => {
          if (new URL(request.url()).origin !== url()) foreignRequests.push(request.url())
        })
        for (const screen of group) {
          try {
            await page.goto(screen.path)
            await pageLoaded(page)
            await check(page, screen)
          } catch (error) {
            failures.push(`${screen.name}: ${error instanceof Error ? error.message : error}`)
          }
        }
        assert.deepEqual(foreignRequests, [], 'requests to another server')
      })
    }
    assert.deepEqual(failures, [])
  }
  return { screens, setDocumentLanguage, checkEach }
}

/** A list does not scroll sideways inside its container either: its last column is fully visible. */
export async function assertListFits(page: Page): Promise<void> {
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('.mantine-datatable .mantine-ScrollArea-viewport')].map((box) => [
      box.scrollWidth,
      box.clientWidth,
    ]),
  )
  for (const [content = 0, box = 0] of wide) assert.ok(content <= box, `a list of ${content} px in a box of ${box} px`)
}
