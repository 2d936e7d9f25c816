// Documents sent by mail: by the real server to a real SMTP server.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { url } from '../../test/harness/app.ts'
import { query } from '../../test/harness/database.ts'
import { given, type User } from '../../test/harness/given.ts'
import { MailServer, type ReceivedMail, words } from '../../test/harness/mail-server.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { textOf } from '../../test/harness/pdf-text.ts'
import { accepts, add } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'
import { shown } from '../../test/harness/screens.ts'
import { until } from '../../test/harness/until.ts'
import { workshop } from '../../test/harness/workshop.ts'

const mails = await MailServer.start()
ownedDatabase(mails.env({ MAILS_PER_DAY: '4' }))
after(() => mails.stop())

const newAddress = (): string => `${randomUUID()}@beech.example`

/** A company with a sale to a customer and a purchase from a supplier, who have addresses of their own. */
async function place() {
  const { company, table, board } = await workshop()
  const [owner, manager] = [await given.user(company), await given.user(company, 'manager')]
  await shown(owner, 'company/edit_details', {
    legal_name: 'Oak Ltd',
    email: 'office@oak.example',
    document_language: 'de',
  })
  const supplier_id = await add(company, 'suppliers', { name: 'Holz & Co', email: 'order@holz.example' })
  const { purchase_id: purchase } = await accepts(company, 'purchases/add', {
    num: 'P-7',
    supplier_id,
    materials: [{ id: board, amount: 40, total: 617.17 }],
  })
  const { id: customer_id } = await given.customer(company, { name: 'Ada Beech', email: 'ada@beech.example' })
  const { order_id: sale } = await accepts(company, 'orders/add', {
    num: 'S-7',
    customer_id,
    products: [{ id: table, amount: 3, total: 741.51 }],
  })
  return { company, owner, manager, sale, purchase }
}

const send = (user: User, document: string, id: number, more: object = {}) =>
  user.call('documents/send', { document, id, email: newAddress(), ...more })

async function sent(user: User, document: string, id: number, more: object = {}): Promise<ReceivedMail> {
  const email = newAddress()
  assert.deepEqual(await shown(user, 'documents/send', { document, id, email: ` ${email} `, ...more }), {
    success: true,
  })
  const [first] = await mails.waitFor(email)
  return first ?? assert.fail('no mail arrived')
}

const stored = async (company: { id: number }) =>
  (await query(company.id, 'select status, response, attempts from mails where company_id = $1', [company.id]))[0]

const waitFor = (company: { id: number }, wanted: (row: Awaited<ReturnType<typeof stored>>) => boolean) =>
  until(async () => wanted(await stored(company)), { pollMs: 50 })

rule('papers.mailed', async () => {
  const { owner, manager, sale, purchase } = await place()
  const to = (document: string, id: number) => shown(manager, 'documents/get_recipient', { document, id })
  assert.deepEqual(await to('order-confirmation', sale), {
    success: true,
    email: 'ada@beech.example',
    sends_mails: true,
  })
  assert.equal((await to('purchase-order', purchase)).email, 'order@holz.example')

  const { mail } = await sent(manager, 'order-confirmation', sale)
  assert.equal(mail.subject, 'Auftragsbestätigung A-S-7 von Oak Ltd')
  assert.equal(mail.replyTo?.value[0]?.address, 'office@oak.example')
  const [pdf] = mail.attachments
  assert.deepEqual([mail.attachments.length, pdf?.contentType], [1, 'application/pdf'])
  assert.match(pdf?.filename ?? '', /S-7.*\.pdf$/)
  const text = textOf(pdf?.content ?? Buffer.alloc(0))
  for (const words of ['Auftragsbestätigung A-S-7', 'Ada Beech', '741,51'])
    assert.ok(text.includes(words), `${words} is missing in:\n${text}`)

  const order = await sent(manager, 'purchase-order', purchase, { language: 'en' })
  assert.equal(order.mail.subject, 'Purchase order P-7 from Oak Ltd')
  assert.ok(textOf(order.mail.attachments[0]?.content ?? Buffer.alloc(0)).includes('617.17'))
  const listed = await shown(owner, 'mails/get_list', {})
  assert.deepEqual(
    listed.mails.map(({ kind }: { kind: string }) => kind),
    ['document', 'document'],
  )
})

rule('papers.mail-refused', async () => {
  const { company, owner, manager, sale } = await place()
  const worker = await given.user(company, 'worker')
  const other = await given.user(await given.company())
  const error = async (user: User, document: string, id: number, more: object = {}) =>
    (await send(user, document, id, more)).body.error
  assert.equal(
    await error(manager, 'order-confirmation', sale, { email: 'ada' }),
    'Invalid email value. Must be an email address',
  )
  assert.equal(await error(manager, 'order-confirmation', sale, { email: undefined }), 'No email in input')
  assert.equal(
    await error(manager, 'job-sheet', sale),
    'Invalid document value. Must be one of: order-confirmation, purchase-order',
  )
  assert.equal(
    await error(manager, 'order-confirmation', sale, { language: 'fr' }),
    'Invalid language value. Must be one of: en, de, ru',
  )
  assert.equal(await error(other, 'order-confirmation', sale), 'Document not found')
  assert.equal(await error(manager, 'purchase-order', 987), 'Document not found')
  assert.equal(
    (await other.call('documents/get_recipient', { document: 'order-confirmation', id: sale })).body.error,
    'Document not found',
  )
  assert.equal((await send(worker, 'order-confirmation', sale)).status, 403)
  for (let n = 1; n <= 4; n++) assert.equal((await send(owner, 'order-confirmation', sale)).status, 200)
  assert.equal(await error(owner, 'order-confirmation', sale), 'Too many mails in 24 hours. Must be at most 4')
})

rule('papers.mail-canceled', async () => {
  const { company, owner, sale } = await place()
  const email = newAddress()
  mails.treat(email, 'postpone', 'accept')
  await shown(owner, 'documents/send', { document: 'order-confirmation', id: sale, email })
  await waitFor(company, ({ response }) => response === words.postpone)
  await accepts(company, 'orders/delete', { order_id: sale })
  await query(company.id, 'update mails set next_at = null where company_id = $1', [company.id])
  await waitFor(company, ({ status }) => status === 'canceled')
  assert.equal(mails.of(email).length, 0)
})

rule('papers.mail-again', async () => {
  const { company, owner, sale } = await place()
  const { products } = await accepts(company, 'products/get_list', {})
  const lines = Array.from({ length: 1_000 }, () => ({ id: products[0].id, amount: 1, total: 1 }))
  const { order_id: large } = await accepts(company, 'orders/add', { num: 'L', customer_name: 'Ada', products: lines })
  const end = new AbortController()
  const print = (id: number, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url()}/screens/documents/order-confirmation?id=${id}`, {
      headers: { 'sec-fetch-site': 'same-origin', cookie: owner.cookie },
      signal: signal ?? null,
    })
  const printLarge = async (): Promise<void> => {
    while (!end.signal.aborted) await print(large, end.signal).catch(() => undefined)
  }
  // More than may wait.
  const printing = Array.from({ length: 12 }, printLarge)
  let email = ''
  const isRefused = async (): Promise<boolean> => {
    await query(company.id, 'delete from mails where company_id = $1', [company.id])
    email = newAddress()
    if ((await send(owner, 'order-confirmation', sale, { email })).status !== 200) return false
    const notPrinted = /^The document could not be printed: /
    await waitFor(company, ({ status, response }) => status === 'sent' || notPrinted.test(response ?? ''))
    return (await stored(company)).status === 'queued'
  }
  try {
    // A document that gets the place of one that was just printed is sent: then another one is tried.
    await until(isRefused, { pollMs: 50 })
  } finally {
    end.abort()
    await Promise.all(printing)
  }
  assert.deepEqual([(await stored(company)).status, (await stored(company)).attempts], ['queued', 1])
  await until(async () => (await print(sale)).status === 200, { pollMs: 50 })
  await query(company.id, 'update mails set next_at = null where company_id = $1', [company.id])
  assert.equal((await mails.waitFor(email)).length, 1)
})
