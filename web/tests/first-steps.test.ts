// The first steps of a company that has just signed up, and its example data.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertAccessible, assertNoOverflow, eventually, shot, withPage } from './harness.ts'

test('a new company is led through its first steps, tries example data, and removes it', async () => {
  await withPage({ path: '/sign-up', locale: 'de-DE' }, async (page) => {
    await page.getByLabel('Firma').fill('Tischlerei Eiche')
    await page.getByLabel('Ihr Name').fill('Anna')
    await page.getByLabel('E-Mail').fill(`anna-${randomUUID()}@example.com`)
    await page.getByRole('textbox', { name: 'Passwort' }).fill('ein langes Passwort')
    await page.getByRole('button', { name: 'Firma anlegen' }).click()
    const steps = page.getByRole('region', { name: 'Erste Schritte' })
    await steps.getByText('0 von 7 erledigt').waitFor()
    // No figures: there is nothing to sum up.
    assert.equal(await page.getByRole('region', { name: 'Kennzahlen' }).count(), 0)
    await assertAccessible(page)
    await shot(page, 'first-steps')

    await steps.getByRole('link', { name: 'Daten öffnen' }).click()
    await page.waitForURL(/\/settings$/)
    await page.goto('/')
    await steps.getByText('1 von 7 erledigt').waitFor()

    await steps.getByRole('button', { name: 'Mit Beispieldaten ausprobieren' }).click()
    await steps.getByText('Sie sehen Beispieldaten.').waitFor()
    await steps.getByText('5 von 7 erledigt').waitFor()
    await page.getByRole('region', { name: 'Kennzahlen' }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await assertNoOverflow(page)
    await shot(page, 'first-steps-examples-phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    await steps.getByRole('button', { name: 'Beispieldaten entfernen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Beispieldaten entfernen' }).click()
    await page.getByText('Beispieldaten entfernt').waitFor()
    await steps.getByText('1 von 7 erledigt').waitFor()

    await steps.getByRole('button', { name: 'Ausblenden' }).click()
    await page.getByRole('region', { name: 'Kennzahlen' }).waitFor()
    await eventually(async () => assert.equal(await steps.count(), 0))

    // The units are named in the language of the sign-up.
    await page.goto('/products/new')
    await page.getByRole('combobox', { name: 'Einheit' }).click()
    await page.getByRole('option', { name: 'Paar' }).waitFor()
  })
})
