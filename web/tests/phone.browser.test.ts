// The daily tasks on a phone, by touch alone: every control that is tapped is as large as a thumb, the main action of a
// page is always in view, and no page scrolls sideways.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { messages as german } from '../src/messages/de.ts'
import { messages as english } from '../src/messages/en.ts'
import { messages as russian } from '../src/messages/ru.ts'
import { stocked } from './audits-steps.ts'
import { assertNoOverflow, pageLoaded, shot, statusButton, withPage } from './harness.ts'
import {
  assertInView,
  assertMainAction,
  assertThumbSized,
  button,
  confirm,
  dismiss,
  onPhone,
  size,
  tab,
  tap,
  type,
} from './phone-steps.ts'
import { planned, tile } from './production-steps.ts'
import { saleOf, shop, sold } from './shop.ts'
import { accepted, bought, levels, workshop } from './workshop.ts'

test('a purchase is received at once, and another in parts', async () => {
  const place = await workshop()
  const { owner, board } = place
  for (const amount of [12, 20])
    await accepted(owner, 'purchases/add', {
      supplier_name: 'Sawmill',
      materials: [{ id: board, amount, total: amount * 9 }],
      status: 1,
    })
  await onPhone(owner, async (page) => {
    await tap(button(page, 'More'))
    const menu = page.getByRole('dialog')
    await menu.getByText('Oak & Sons').waitFor()
    await shot(page, 'phone-menu')
    await tap(menu.getByRole('link', { name: 'Purchases' }))
    await assertMainAction(page, page.getByRole('link', { name: 'New purchase' }))
    await shot(page, 'phone-purchases')
    await tap(page.getByRole('link', { name: 'P-1' }))
    await assertMainAction(page, button(page, 'Receive'))
    await shot(page, 'phone-purchase')
    await tap(button(page, 'Receive'))
    await confirm(page, 'Receive')
    await statusButton(page, 'P-1: Received').waitFor()
    assert.deepEqual(await levels(place, board), [12, 0, 12])

    await tap(page.getByRole('link', { name: 'Purchases' }))
    await tap(page.getByRole('link', { name: 'P-2' }))
    await assertMainAction(page, button(page, 'Receive part'))
    await tap(button(page, 'Receive part'))
    const dialog = page.getByRole('dialog')
    await tap(dialog.getByRole('button', { name: english.purchases.part.none }))
    await type(dialog.getByRole('textbox', { name: 'Received now: Oak board' }), '8')
    await shot(page, 'phone-receive-part')
    await confirm(page, 'Receive')
    await statusButton(page, 'P-2: Partially received').waitFor()
    await shot(page, 'phone-purchase-received')
    await assertMainAction(page, button(page, 'Receive remaining'))
    assert.deepEqual(await levels(place, board), [20, 0, 20])
  })
})

test('a sale is shipped at once, and another in parts', async () => {
  const place = await shop()
  const whole = await sold(place)
  const inParts = await sold(place, { num: '1002' })
  await onPhone(place.owner, async (page) => {
    await tap(tab(page, 'Sales'))
    await page.getByRole('heading', { name: 'Sales' }).waitFor() // Home has such a link, too.
    await assertMainAction(page, page.getByRole('link', { name: 'New sale' }))
    await tap(page.getByRole('link', { name: 'A-1001' }))
    await assertMainAction(page, button(page, 'Pack'))
    await assertMainAction(page, button(page, 'Ship'))
    await shot(page, 'phone-sale')
    await tap(button(page, 'Ship'))
    // Yesterday, or another day that has passed.
    const dialog = page.getByRole('dialog')
    await tap(dialog.getByRole('button', { name: english.kit.day.open(english.sales.ask.day) }))
    const day = page.getByRole('dialog', { name: english.sales.ask.day }).getByRole('button', { name: / 1 / })
    await shot(page, 'phone-calendar')
    await tap(day)
    await confirm(page, 'Ship')
    await statusButton(page, 'A-1001: Shipped').waitFor()
    await assertThumbSized(statusButton(page, 'A-1001: Shipped'))
    assert.equal((await saleOf(place, whole)).order.status, 3)

    await tap(tab(page, 'Sales'))
    await tap(page.getByRole('link', { name: 'A-1002' }))
    await tap(button(page, 'More actions'))
    await tap(page.getByRole('menuitem', { name: 'Ship part' }))
    await type(page.getByRole('textbox', { name: 'Ship now: Oak table' }), '1')
    await type(page.getByRole('textbox', { name: 'Ship now: Walnut chair' }), '0')
    await shot(page, 'phone-ship-part')
    await confirm(page, 'Ship part')
    await statusButton(page, 'A-1002: Partially shipped').waitFor()
    await assertMainAction(page, button(page, 'Ship remaining'))
    await assertMainAction(page, button(page, 'Ship part'))
    assert.equal((await saleOf(place, inParts)).shipments[0].lines[0].amount, 1)

    // What is typed is saved with the same thumb.
    await dismiss(page)
    await type(page.getByRole('textbox', { name: 'Quantity: Walnut chair' }), '3')
    await assertMainAction(page, button(page, 'Save'))
    await shot(page, 'phone-sale-unsaved')
    await tap(button(page, 'Save'))
    await confirm(page, 'Save')
    await page.getByText('Sale A-1002 saved').waitFor()
  })
})

test('stock is counted and the stocktake completed', async () => {
  const place = await stocked()
  await onPhone(place.owner, async (page) => {
    await tap(tab(page, 'Stock'))
    await tap(page.getByRole('link', { name: 'Stocktakes' }))
    await tap(page.getByRole('link', { name: 'New stocktake' }).first())
    await tap(page.getByRole('combobox', { name: 'Where are you counting?' }))
    await tap(page.getByRole('option', { name: 'Finished goods' }))
    await type(page.getByLabel('Counted: Oak board'), '15')
    await page.getByLabel('Counted: Oak board').press('Enter')
    await page.getByText('1 of 2 counted').waitFor()
    await type(page.getByLabel('Counted: Oak table'), '3')
    await page.getByLabel('Counted: Oak table').press('Enter')
    await page.getByText('2 of 2 counted').waitFor()
    await tap(page.getByText('All', { exact: true }))
    await page.getByText('Saved', { exact: true }).nth(1).waitFor()
    await shot(page, 'phone-count')
    await assertMainAction(page, page.getByRole('link', { name: 'Review' }))
    await tap(page.getByRole('link', { name: 'Review' }))
    await assertMainAction(page, button(page, 'Complete'))
    await shot(page, 'phone-stocktake')
    await tap(button(page, 'Complete'))
    await confirm(page, 'Complete')
    await statusButton(page, 'I-1: Completed').waitFor()
    assert.deepEqual(await levels(place, place.board), [15, 0, 15])
  })
})

test('the stock of an item is found in the list and by the search', async () => {
  const place = await stocked()
  await onPhone(place.owner, async (page) => {
    await tap(tab(page, 'Stock'))
    await type(page.getByRole('searchbox', { name: 'Search' }), 'board')
    await page.getByRole('link', { name: 'Oak table', exact: true }).waitFor({ state: 'detached' })
    await shot(page, 'phone-stock')
    await tap(page.getByRole('link', { name: 'Oak board', exact: true }))
    await page.getByText('On hand 16 m', { exact: false }).waitFor()
    await pageLoaded(page)
    await assertNoOverflow(page)
    await shot(page, 'phone-stock-of-item')
    await assertThumbSized(page.getByRole('tab', { name: english.stock.item.reserved }))
    await assertThumbSized(button(page, english.kit.day.open(english.stock.item.asOf)))

    await tap(page.getByRole('button', { name: /^Search/ }))
    await type(page.getByRole('combobox', { name: 'Search', exact: true }), 'TABLE')
    await tap(page.getByRole('option', { name: /Oak table/ }))
    await page.waitForURL(/\/products\/\d+$/)
    await page.getByText('3 pcs').first().waitFor()
    await pageLoaded(page)
    await assertNoOverflow(page)
    await shot(page, 'phone-item')
    for (const name of ['Sell', 'Count']) await assertThumbSized(page.getByRole('link', { name, exact: true }))
  })
})

test('a production is started on the board and finished on its page', async () => {
  const place = await workshop()
  await bought(place, 10)
  await planned(place, 2)
  await onPhone(place.owner, async (page) => {
    await tap(tab(page, 'Production'))
    await assertMainAction(page, page.getByRole('link', { name: 'New production' }))
    await assertInView(tile(page, 'M-1').getByRole('button', { name: 'Start' }))
    await tap(tile(page, 'M-1').getByRole('button', { name: 'Start' }))
    await tap(page.getByText('In progress 1'))
    await assertInView(tile(page, 'M-1').getByRole('button', { name: 'Finish' }))
    await assertThumbSized(tile(page, 'M-1').getByRole('button', { name: 'Finish' }))
    await shot(page, 'phone-board')
    await tap(tile(page, 'M-1').getByRole('link', { name: 'M-1' }))
    await page.getByRole('heading', { name: 'Production M-1' }).waitFor()
    await assertMainAction(page, button(page, 'Finish'))
    await shot(page, 'phone-production')
    await tap(button(page, 'Finish'))
    await confirm(page, 'Finish')
    await statusButton(page, 'M-1: Done').waitFor()
    assert.deepEqual(await levels(place, place.table), [2, 0, 2])
  })
})

for (const [locale, texts] of [
  ['de-DE', german],
  ['ru-RU', russian],
] as const)
  test(`the buttons of a sale fit into one line in ${locale}`, async () => {
    const place = await shop()
    const fresh = await sold(place)
    const partly = await sold(place, { num: '1002' })
    await given.shippedPart(place.company, partly, {
      date: '2026-03-02',
      items: [{ id: place.table.id, amount: '1' }],
    })
    const { act } = texts.sales
    for (const width of [390, 360])
      for (const [id, names] of [
        [fresh, [act.pack, act.ship]],
        [partly, [act.shipRest, act.shipPart]],
      ] as const)
        await withPage({ user: place.owner, path: `/sales/${id}`, width, height: 844, locale }, async (page) => {
          const buttons = [...names, texts.kit.card.more].map((name) => button(page, name))
          await buttons[0]?.waitFor()
          await pageLoaded(page)
          await shot(page, `phone-sale-${locale}-${width}-${id}`)
          await assertNoOverflow(page)
          const boxes = await Promise.all(buttons.map((one) => one.boundingBox()))
          assert.equal(new Set(boxes.map((box) => box?.y)).size, 1, 'in one line')
          for (const one of buttons) {
            const [content, shown] = await one
              .locator('.mantine-Button-label')
              .or(one)
              .last()
              .evaluate((label) => [label.scrollWidth, label.clientWidth])
            assert.ok((content ?? 0) <= (shown ?? 0), `${one} needs ${content} px and has ${shown} px`)
          }
        })
  })

test('the name of the company is not cut off in the navigation', async () => {
  const name = 'Tischlerei Eichholz & Söhne GmbH & Co. KG'
  const company = await given.company({ name })
  const user = await given.user(company, 'owner')
  for (const width of [1280, size.width])
    await withPage({ user, path: '/stock', width, height: size.height }, async (page) => {
      await pageLoaded(page)
      if (width === size.width) await tap(button(page, 'More'))
      const shown = page.getByText(name, { exact: true })
      await shown.waitFor()
      await shot(page, `company-${width}`)
      const isCut = await shown.evaluate(
        (box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight,
      )
      assert.equal(isCut, false, `at ${width}`)
    })
})
