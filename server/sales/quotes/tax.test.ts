// The tax of a quote: that of the sale that it becomes, wherever the quote is shown.

import assert from 'node:assert/strict'
import { url } from '../../test/harness/app.ts'
import { Browser, newAddress } from '../../test/harness/browser.ts'
import { broken } from '../../test/harness/database.ts'
import { given, type User } from '../../test/harness/given.ts'
import { textOf } from '../../test/harness/pdf-text.ts'
import { type Quoted, quoted } from '../../test/harness/quotes.ts'
import { accepts, add as addRecord, edit as editRecord } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'
import { shown } from '../../test/harness/screens.ts'

type Tax = {
  readonly included: boolean
  readonly treatment: string
  readonly reason: string
  readonly net: string
  readonly tax: string
  readonly gross: string
  readonly rates: readonly { readonly items: readonly number[] }[]
}

/** A company with two tax rates; the first is the default, which the product has. */
async function taxed(): Promise<Quoted & { readonly owner: User; readonly rates: readonly [number, number] }> {
  const place = await quoted()
  const owner = await given.user(place.company)
  const add = async (name: string, percent: number): Promise<number> =>
    (await shown(owner, 'tax_rates/add', { name, percent })).tax_rate_id
  return { ...place, owner, rates: [await add('VAT', 19), await add('Reduced', 7)] }
}

async function printed(path: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${url()}/screens/${path}`, { headers: { 'sec-fetch-site': 'same-origin', ...headers } })
  assert.equal(response.status, 200)
  return textOf(Buffer.from(await response.arrayBuffer()))
}
const document = (user: User, kind: string, id: number): Promise<string> =>
  printed(`documents/${kind}?id=${id}&language=en`, { cookie: user.cookie })
const sharedDocument = (token: string): Promise<string> =>
  printed(`shared/quote/${token}`, { 'x-forwarded-for': newAddress() })

const cardTax = async (user: User, id: number): Promise<Tax> =>
  (await shown(user, 'quotes/get_card', { quote_id: id })).tax
const saleTax = async (user: User, id: number): Promise<Tax> =>
  (await shown(user, 'orders/get_card', { order_id: id })).tax
const sharedQuote = async (token: string) => (await new Browser().call('quotes/get_shared', { token })).body

/** The customer accepts it; returns the id of the sale. */
async function accepted(user: User, { id, token }: { id: number; token: string }): Promise<number> {
  assert.equal((await new Browser().call('quotes/accept_shared', { token, name: 'Ada' })).status, 200)
  return (await shown(user, 'quotes/get_card', { quote_id: id })).quote.order_id
}

const summary = ({ included, treatment, reason, net, tax, gross }: Tax): unknown[] => [
  ...[included, treatment, reason],
  `${net} + ${tax} = ${gross}`,
]
const withoutIds = (tax: Tax): object => ({ ...tax, rates: tax.rates.map(({ items: _ids, ...rate }) => rate) })

function assertContains(found: string, expected: readonly string[]): void {
  for (const one of expected) assert.ok(found.includes(one), `${one} is missing in:\n${found}`)
}

/** What shows the tax: of the draft, of the sent quote, of its link, and of its sale. Returns what the sale has. */
async function everywhere(place: Quoted, expected: unknown[], texts: readonly string[], body = {}): Promise<void> {
  const { user, company, add } = place
  const id = await add(body)
  const tax = await cardTax(user, id)
  assert.deepEqual(summary(tax), expected)
  assertContains(await document(user, 'quote', id), texts)
  const { token } = await shown(user, 'quotes/send', { quote_id: id })
  assert.deepEqual(await cardTax(user, id), tax)
  assert.deepEqual((await sharedQuote(token)).tax, withoutIds(tax))
  assertContains(await document(user, 'quote', id), texts)
  assertContains(await sharedDocument(token), texts)
  const sale = await accepted(user, { id, token })
  assert.deepEqual(await saleTax(user, sale), tax)
  assertContains(await document(user, 'order-confirmation', sale), texts)
  assert.deepEqual((await sharedQuote(token)).tax, withoutIds(tax))
  // As a sale that is entered by hand.
  const products = [{ id: place.product, amount: 3, total: 30.3 }]
  const entered = { num: `S-${sale}`, customer_id: place.customer, products, ...body }
  const { order_id } = await accepts(company, 'orders/add', entered)
  assert.deepEqual(await saleTax(user, order_id), tax)
}

rule('quotes.tax', async () => {
  const place = await taxed()
  const { owner, company, product, customer, rates } = place
  const added = ['Total without tax', '€30.30', 'VAT 19% on €30.30', '€5.76', 'Total with tax', '€36.06']
  await everywhere(place, [false, '', '', '30.30 + 5.76 = 36.06'], added)
  const { id: reduced } = await given.product(company)
  await editRecord(company, 'products', reduced, { tax_rate_id: rates[1] })
  const several = {
    products: [
      { id: product, amount: 1, total: 100 },
      { id: reduced, amount: 1, total: 50 },
    ],
    delivery_price: 10,
    discount: 1,
  }
  const shares = ['VAT 19% on €106.00', '€20.14', 'Reduced 7% on €53.00', '€3.71', 'Total with tax', '€182.85']
  await everywhere(place, [false, '', '', '159.00 + 23.85 = 182.85'], shares, several)

  await shown(owner, 'settings/edit', { prices_include_tax: 1 })
  const included = ['Total', '€30.30', 'includes VAT 19%, of €30.30', '€4.84', 'Total without tax', '€25.46']
  await everywhere(place, [true, '', '', '25.46 + 4.84 = 30.30'], included)
  await shown(owner, 'settings/edit', { prices_include_tax: 0 })

  const reasons = { exempt: 'Tax exempt: Museum', reverse_charge: 'Reverse charge: Museum' }
  for (const [treatment, reason] of Object.entries(reasons)) {
    await editRecord(company, 'customers', customer, { tax_treatment: treatment, tax_reason: 'Museum' })
    await everywhere(place, [false, treatment, 'Museum', '30.30 + 0.00 = 30.30'], [reason, '€30.30'])
  }
  assert.deepEqual(await broken(company.id), [])
})

/** Whatever the tax follows from. */
async function changeAll({ owner, company, product, customer, rates }: Awaited<ReturnType<typeof taxed>>) {
  await shown(owner, 'tax_rates/edit', { tax_rate_id: rates[0], percent: 25, name: 'More' })
  await editRecord(company, 'products', product, { tax_rate_id: rates[1] })
  await shown(owner, 'settings/edit', { prices_include_tax: 1 })
  await editRecord(company, 'customers', customer, { tax_treatment: 'exempt', tax_reason: 'Embassy' })
}

rule('quotes.tax.kept', async () => {
  const place = await taxed()
  const { user, company, send } = place
  const [byCustomer, byUser] = [await send(), await send()]
  const tax = await cardTax(user, byCustomer.id)
  const page = await sharedQuote(byCustomer.token)
  await changeAll(place)
  assert.deepEqual(await cardTax(user, byCustomer.id), tax)
  assert.deepEqual(await sharedQuote(byCustomer.token), page)
  assertContains(await sharedDocument(byCustomer.token), ['VAT 19% on €30.30', '€36.06'])
  const again = await shown(user, 'quotes/send', { quote_id: byUser.id })
  assert.deepEqual((await sharedQuote(again.token)).tax, withoutIds(tax))
  assert.deepEqual(await saleTax(user, await accepted(user, byCustomer)), tax)
  const { order_id } = await shown(user, 'quotes/accept', { quote_id: byUser.id })
  const sale = await saleTax(user, order_id)
  assert.deepEqual([summary(sale), sale], [[false, '', '', '30.30 + 5.76 = 36.06'], tax])
  assert.deepEqual(await broken(company.id), [])
})

rule('quotes.tax.draft', async () => {
  const place = await taxed()
  const { user, owner, company, customer, rates, add, send } = place
  const draft = await add()
  const reopened = await send()
  await shown(user, 'quotes/reopen', { quote_id: reopened.id })
  const { events } = await shown(user, 'history/get_list', { record: 'quote', record_id: reopened.id })
  assert.deepEqual(
    events.map(({ change }: { change: { tax?: unknown } }) => change.tax === undefined),
    [false, false, true],
  )
  assert.equal(events[0].change.tax[1], null)
  await shown(owner, 'tax_rates/edit', { tax_rate_id: rates[0], percent: 10 })
  for (const id of [draft, reopened.id]) {
    assert.deepEqual(summary(await cardTax(user, id)), [false, '', '', '30.30 + 3.03 = 33.33'])
    assertContains(await document(user, 'quote', id), ['VAT 10% on €30.30', '€33.33'])
  }
  const exempt = await addRecord(company, 'customers', { tax_treatment: 'exempt', tax_reason: '' })
  await shown(user, 'quotes/edit', { quote_id: draft, customer_id: exempt })
  assert.deepEqual(summary(await cardTax(user, draft)), [false, 'exempt', '', '30.30 + 0.00 = 30.30'])
  await shown(user, 'quotes/edit', { quote_id: draft, customer_id: customer, discount: 0.3 })
  assert.deepEqual(summary(await cardTax(user, draft)), [false, '', '', '30.00 + 3.00 = 33.00'])
  const { token } = await shown(user, 'quotes/send', { quote_id: draft })
  assert.equal((await sharedQuote(token)).tax.gross, '33.00')
  assert.equal((await saleTax(user, await accepted(user, { id: draft, token }))).gross, '33.00')
})

rule('quotes.tax.none', async () => {
  const { user, company, send } = await quoted()
  const sent = await send()
  assert.deepEqual([await cardTax(user, sent.id), (await sharedQuote(sent.token)).tax], [null, null])
  for (const text of [await document(user, 'quote', sent.id), await sharedDocument(sent.token)])
    assert.doesNotMatch(text, /tax/i)
  const { events } = await shown(user, 'history/get_list', { record: 'quote', record_id: sent.id })
  assert.ok(!JSON.stringify(events).includes('tax'))
  await shown(await given.user(company), 'tax_rates/add', { name: 'VAT', percent: 19 })
  assert.deepEqual([await cardTax(user, sent.id), (await sharedQuote(sent.token)).tax], [null, null])
  assert.equal(await saleTax(user, await accepted(user, sent)), null)
})
