// The link of a quote: read, accepted and declined without an account; what is logged, and what a link that no longer works says. Long because every rule
// of the link is tested here.

import assert from 'node:assert/strict'
import { send as sendRequest, startServer, url } from '../../test/harness/app.ts'
import { Browser, newAddress } from '../../test/harness/browser.ts'
import { broken, query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { textOf } from '../../test/harness/pdf-text.ts'
import { quoted, quoteOf } from '../../test/harness/quotes.ts'
import { accepts } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'
import { shown } from '../../test/harness/screens.ts'

const paths = ['quotes/get_shared', 'quotes/accept_shared', 'quotes/decline_shared']

const pdf = (token: string, { site = 'same-origin', address = newAddress() } = {}): Promise<Response> =>
  fetch(`${url()}/screens/shared/quote/${token}`, {
    headers: { 'sec-fetch-site': site, 'x-forwarded-for': address },
  })

/** What every request with the token is answered. */
async function answers(token: string): Promise<string[]> {
  const browser = new Browser()
  const replies = []
  for (const path of paths) replies.push(await browser.call(path, { token, name: 'Ada' }))
  const printed = await pdf(token)
  const { error } = (await printed.json()) as { error: string }
  return [...replies.map(({ status, text }) => `${status} ${text}`), `${printed.status} ${error}`]
}

const refused = (error: string, code: string): string[] => [
  ...paths.map(() => `400 ${JSON.stringify({ success: false, error, code })}`),
  '404 Document not found',
]

const saleCount = async (company: Parameters<typeof accepts>[0]): Promise<number> =>
  (await accepts(company, 'orders/get_list', { limit: 1 })).total

rule('quotes.link.read', async () => {
  const { company, send } = await quoted()
  const owner = await given.user(company)
  const details = { address: 'Oak Lane 1', country: 'AT', email: 'office@oak.example' }
  await shown(owner, 'company/edit_details', {
    legal_name: 'Oak Ltd',
    ...details,
    phone: '123',
    vat_number: 'ATU12345678',
  })
  const { token } = await send({
    date_placed: '2026-03-12',
    valid_until: '9999-12-31',
    delivery_price: 5,
    discount: 1,
    notes: 'In May',
  })
  const { success, ...shared } = (await new Browser().call('quotes/get_shared', { token })).body
  assert.equal(success, true)
  assert.deepEqual(shared, {
    company: {
      name: 'Oak Ltd',
      ...details,
      phone: '123',
      vat_number: 'ATU12345678',
      registration: '',
      currency: 'EUR',
    },
    language: 'de',
    quote: {
      ...{ num: 'Q-1', status: 1, date_placed: '2026-03-12', valid_until: '9999-12-31', customer_name: 'Beech & Co' },
      ...{ subtotal: 30.3, delivery_price: 5, discount: 1, total: 34.3, notes: 'In May' },
    },
    lines: [{ name: 'Oak table', sku: 'TABLE', amount: 3, unit: 'pcs', price: 10.1, total: 30.3 }],
    tax: null,
    decided: null,
  } as object)
  await shown(owner, 'company/edit_details', { document_language: 'ru' })
  assert.equal((await new Browser().call('quotes/get_shared', { token })).body.language, 'ru')
})

rule('quotes.link.opened', async () => {
  const { user, send } = await quoted()
  const { id, token } = await send()
  const linkOf = async () => (await shown(user, 'quotes/get_card', { quote_id: id })).links[0]
  assert.deepEqual([(await linkOf()).opened, (await linkOf()).first_opened_at], [0, null])
  const [first, last] = [new Browser(), new Browser()]
  for (const browser of [first, last, last]) await browser.call('quotes/get_shared', { token })
  const link = await linkOf()
  assert.deepEqual([link.opened, link.first_opened_from, link.last_opened_from], [3, first.address, last.address])
  assert.ok(Date.parse(link.first_opened_at) < Date.parse(link.last_opened_at))
})

rule('quotes.link.accept', async () => {
  const { company, user, send } = await quoted()
  const { id, token } = await send()
  const browser = new Browser()
  const unnamed = await browser.call('quotes/accept_shared', { token, name: ' ' })
  assert.deepEqual([unnamed.status, unnamed.body.error, unnamed.body.field], [400, 'No name in input', 'name'])
  const long = await browser.call('quotes/accept_shared', { token, name: 'x'.repeat(256) })
  assert.equal(long.body.error, 'Invalid name value. Must be at most 255 characters')
  const reply = await browser.call('quotes/accept_shared', { token, name: ' Ada Beech ' })
  assert.equal(reply.text, '{"success":true}')
  const { quote, links } = await shown(user, 'quotes/get_card', { quote_id: id })
  assert.deepEqual([quote.status, quote.order_num], [3, '1'])
  const { decision, decided_by, decided_from, decided_at } = links[0]
  assert.deepEqual([decision, decided_by, decided_from], ['accepted', 'Ada Beech', browser.address])
  const { order } = await accepts(company, 'orders/get_entry', { order_id: quote.order_id })
  assert.deepEqual([order.total, order.source, order.customer_name], [30.3, 'manual', 'Beech & Co'])
  const { events } = await shown(user, 'history/get_list', { record: 'sale', record_id: quote.order_id })
  const [{ method, action, user_name }] = events
  assert.deepEqual([method, action, user_name], ['quotes/accept_shared', 'created', null])
  const { decided, quote: seen } = (await browser.call('quotes/get_shared', { token })).body
  assert.deepEqual([seen.status, decided], [3, { at: decided_at, by: 'Ada Beech' }])
  assert.deepEqual(await broken(company.id), [])
})

rule('quotes.link.accept.once', async () => {
  const { company, user, send } = await quoted()
  const { id, token } = await send()
  const accept = (name: string) => new Browser().call('quotes/accept_shared', { token, name })
  const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => accept(`Person ${at}`)))
  assert.deepEqual([...new Set(replies.map(({ status, text }) => `${status} ${text}`))], ['200 {"success":true}'])
  assert.equal(await saleCount(company), 1)
  const before = (await shown(user, 'quotes/get_card', { quote_id: id })).links[0]
  await accept('Somebody else')
  assert.deepEqual((await shown(user, 'quotes/get_card', { quote_id: id })).links[0], before)
  assert.equal(await saleCount(company), 1)
  assert.deepEqual(await broken(company.id), [])
})

rule('quotes.link.decline', async () => {
  const { company, user, send } = await quoted()
  const [declined, accepted] = [await send(), await send()]
  const browser = new Browser()
  for (const name of ['Ada', 'Ben'])
    assert.equal((await browser.call('quotes/decline_shared', { token: declined.token, name })).status, 200)
  const { quote, links } = await shown(user, 'quotes/get_card', { quote_id: declined.id })
  assert.deepEqual([quote.status, links[0].decision, links[0].decided_by], [4, 'declined', 'Ada'])
  assert.equal(await saleCount(company), 0)
  await browser.call('quotes/accept_shared', { token: accepted.token, name: 'Ada' })
  for (const [path, token] of [
    ['quotes/accept_shared', declined.token],
    ['quotes/decline_shared', accepted.token],
  ] as const) {
    const reply = await browser.call(path, { token, name: 'Ada' })
    assert.deepEqual([reply.status, reply.body.error], [400, 'The quote was decided before'], path)
  }
  assert.equal(await saleCount(company), 1)
})

rule('quotes.link.ended', async () => {
  const { company, user, send } = await quoted()
  const revokedOnce = refused('The link was revoked', 'link_revoked')
  const revoked = await send()
  await shown(user, 'quotes/revoke', { quote_id: revoked.id })
  assert.deepEqual(await answers(revoked.token), revokedOnce)
  const replaced = await send()
  await shown(user, 'quotes/send', { quote_id: replaced.id })
  assert.deepEqual(await answers(replaced.token), revokedOnce)
  const reopened = await send()
  await shown(user, 'quotes/reopen', { quote_id: reopened.id })
  assert.deepEqual(await answers(reopened.token), revokedOnce)
  const expired = await send()
  await query(
    company.id,
    `update quotes set date_placed = '2026-01-01', valid_until = '2026-01-02' where company_id = $1 and id = $2`,
    [company.id, expired.id],
  )
  assert.deepEqual(await answers(expired.token), refused('The quote has expired', 'link_expired'))
  const unknown = refused('Link not found', 'link_gone')
  const [owner, secret] = revoked.token.split('.')
  const guesses = [
    `${owner}.${'A'.repeat(43)}`,
    `${Number(owner) + 1}.${secret}`,
    `${Number.MAX_SAFE_INTEGER}.${secret}`,
    'x',
    "1.'",
  ]
  for (const guess of guesses) assert.deepEqual(await answers(guess), unknown, guess)
  const { links } = await shown(user, 'quotes/get_card', { quote_id: expired.id })
  assert.equal(links[0].opened, 0)
  assert.equal(await saleCount(company), 0)
  // A user may still accept it for the customer.
  await shown(user, 'quotes/accept', { quote_id: expired.id })
  assert.equal((await new Browser().call('quotes/get_shared', { token: expired.token })).body.quote.status, 3)
})

rule('quotes.link.pdf', async () => {
  const { send } = await quoted()
  const { token } = await send({ notes: 'In May' })
  const response = await pdf(token)
  const expected = {
    'content-type': 'application/pdf',
    'content-disposition': "attachment; filename*=UTF-8''Quote%20Q-1.pdf",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  }
  assert.equal(response.status, 200)
  for (const [name, value] of Object.entries(expected)) assert.equal(response.headers.get(name), value, name)
  const found = textOf(Buffer.from(await response.arrayBuffer()))
  for (const one of ['Quote Q-1', 'Valid until', 'Beech & Co', 'Oak table', '€30.30', 'In May'])
    assert.ok(found.includes(one), `${one} is missing in:\n${found}`)
})

rule('quotes.link.site', async () => {
  const { company, send } = await quoted()
  const { token } = await send()
  for (const path of paths)
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}]) {
      const sent = { ...headers, 'x-forwarded-for': newAddress() } as Record<string, string>
      const reply = await sendRequest(`/screens/${path}`, {
        headers: sent,
        body: JSON.stringify({ token, name: 'Ada' }),
      })
      assert.deepEqual([reply.status, reply.body.error], [403, 'Request comes from another site'], path)
    }
  assert.equal((await pdf(token, { site: 'cross-site' })).status, 403)
  assert.equal((await pdf(token, { site: 'none' })).status, 200)
  assert.equal(await saleCount(company), 0)
  const page = await fetch(`${url()}/q/${token}`)
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex, nofollow')
  assert.equal((await fetch(`${url()}/sign-in`)).headers.get('x-robots-tag'), null)
})

rule('quotes.link.limit', async () => {
  const { send } = await quoted()
  const { token } = await send()
  const server = await startServer({ ANONYMOUS_REQUESTS: '1' })
  try {
    const address = newAddress()
    const browser = new Browser({ address, base: server.url })
    const statuses = new Set<number>()
    for (let sent = 0; sent < 30; sent++) statuses.add((await browser.call('quotes/get_shared', { token })).status)
    assert.deepEqual([...statuses], [200, 503])
    const printed = await fetch(`${server.url}/screens/shared/quote/${token}`, {
      headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
    })
    assert.equal(printed.status, 503)
    const another = new Browser({ address: newAddress(), base: server.url })
    assert.equal((await another.call('quotes/get_shared', { token })).status, 200)
  } finally {
    await server.stop()
  }
})

rule('quotes.link.secret', async () => {
  const { company, user, send } = await quoted()
  const { id, token } = await send()
  await new Browser().call('quotes/accept_shared', { token, name: 'Ada' })
  const secret = token.split('.')[1] ?? ''
  const rows = await query(
    company.id,
    `select to_jsonb(l)::text as row from quote_links l where l.company_id = $1
     union all select to_jsonb(t)::text from quote_tokens t where t.company_id = $1
     union all select to_jsonb(e)::text from events e where e.company_id = $1
     union all select to_jsonb(q)::text from quotes q where q.company_id = $1`,
    [company.id],
  )
  assert.ok(rows.length > 3)
  for (const { row } of rows) assert.ok(!row.includes(secret))
  assert.ok(!JSON.stringify(await shown(user, 'quotes/get_card', { quote_id: id })).includes(secret))
  assert.equal((await quoteOf(user, id)).status, 3)
})
