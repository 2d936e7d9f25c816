// What a company prints on its documents, over HTTP: its details and its logo.

import assert from 'node:assert/strict'
import { url as serverUrl } from '../../test/harness/app.ts'
import { query } from '../../test/harness/database.ts'
import { base64, jpeg, pdf, png, pngChunk, webp } from '../../test/harness/files.ts'
import { given, type User } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

const none = {
  legal_name: '',
  address: '',
  vat_number: '',
  registration: '',
  bank_name: '',
  bank_account: '',
  bank_code: '',
  email: '',
  phone: '',
  country: '',
  paper_size: '',
  document_language: '',
}
const full = {
  legal_name: 'Eichholz Werkstatt GmbH',
  address: 'Lindenstraße 5\n10969 Berlin',
  vat_number: 'DE123456789',
  registration: 'HRB 12345, Amtsgericht Berlin',
  bank_name: 'Sparkasse "Berlin"',
  bank_account: 'DE02120300000000202051',
  bank_code: 'BYLADEM1001',
  email: 'office@oak.example',
  phone: '+49 30 1234567',
  country: 'DE',
}
const choices = { paper_size: 'Letter', document_language: 'ru' }

const read = (user: User) => shown(user, 'company/get_details')
const details = async (user: User) => (await read(user)).details

async function statusOf(user: User | undefined, logo: string, ending = ''): Promise<number> {
  const response = await get(user, logo, ending)
  await response.arrayBuffer()
  return response.status
}
const get = (user: User | undefined, logo: string, ending = ''): Promise<Response> =>
  fetch(`${serverUrl()}/screens/files/${logo}${ending}`, {
    headers: { 'sec-fetch-site': 'same-origin', ...(user === undefined ? {} : { cookie: user.cookie }) },
  })

rule('company.details.empty', async () => {
  const owner = await given.user(await given.company())
  assert.deepEqual(await read(owner), { success: true, details: none, logo: null })
})

rule('company.details.edit', async () => {
  const owner = await given.user(await given.company())
  let known: object = none
  for (const [field, value] of Object.entries(full)) {
    await shown(owner, 'company/edit_details', { [field]: ` ${value} \n` })
    known = { ...known, [field]: value }
    assert.deepEqual(await details(owner), known)
  }
  for (const [field, value] of Object.entries(choices)) {
    await shown(owner, 'company/edit_details', { [field]: value })
    known = { ...known, [field]: value }
    assert.deepEqual(await details(owner), known)
  }
  for (const field of [...Object.keys(full), ...Object.keys(choices)]) {
    await shown(owner, 'company/edit_details', { [field]: '' })
    known = { ...known, [field]: '' }
    assert.deepEqual(await details(owner), known)
  }
})

rule('company.details.country', async () => {
  const owner = await given.user(await given.company())
  for (const [sent, stored] of [
    ['de', 'DE'],
    ['XK', 'XK'],
    ['', ''],
  ]) {
    await shown(owner, 'company/edit_details', { country: sent })
    assert.equal((await details(owner)).country, stored)
  }
  for (const country of ['DEU', 'ZZ', 'Germany', 'EU', 5])
    assert.equal(
      await refusal(owner, 'company/edit_details', { country }),
      'Invalid country value. Must be a two-letter code such as DE',
    )
})

rule('company.details.refused', async () => {
  const owner = await given.user(await given.company())
  for (const field of Object.keys(full)) {
    assert.equal(
      await refusal(owner, 'company/edit_details', { [field]: [1] }),
      `Invalid ${field} value. Must be a string`,
    )
    assert.equal(
      await refusal(owner, 'company/edit_details', { [field]: 'a\0' }),
      `Invalid ${field} value. Must be valid text`,
    )
    const longest = field === 'address' ? 1_000 : 255
    assert.equal(
      await refusal(owner, 'company/edit_details', { [field]: 'é'.repeat(longest + 1) }),
      `Invalid ${field} value. Must be at most ${longest} characters`,
    )
    if (field === 'country') continue
    await shown(owner, 'company/edit_details', { [field]: '😀'.repeat(longest) })
  }
  assert.equal((await details(owner)).address, '😀'.repeat(1_000))
  for (const [field, allowed] of [
    ['paper_size', 'A4, Letter'],
    ['document_language', 'en, de, ru'],
  ] as const)
    for (const value of ['a4', 'fr', 4, []])
      assert.equal(
        await refusal(owner, 'company/edit_details', { [field]: value }),
        `Invalid ${field} value. Must be empty or one of: ${allowed}`,
      )
})

rule('company.details.events', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  await shown(owner, 'company/edit_details', { country: 'at', phone: '1' })
  await shown(owner, 'company/edit_details', { country: 'AT' })
  const { logo } = await shown(owner, 'company/set_logo', { content: base64(png(2, 2)) })
  await shown(owner, 'company/set_logo', { content: base64(png(2, 2)) })
  for (let times = 0; times < 2; times++) await shown(owner, 'company/delete_logo')
  const { body } = await owner.call('history/get_list', { record: 'company', record_id: company.id })
  const tag = logo.slice('logo-'.length)
  assert.deepEqual(
    body.events.map((event: { change: object }) => event.change),
    [{ logo: [tag, null] }, { logo: [null, tag] }, { phone: ['', '1'], country: ['', 'AT'] }],
  )
})

rule('company.details.roles', async () => {
  const company = await given.company()
  const [manager, worker] = [await given.user(company, 'manager'), await given.user(company, 'worker')]
  assert.deepEqual(await details(manager), none)
  const calls: readonly (readonly [User, string])[] = [
    [manager, 'company/edit_details'],
    [manager, 'company/set_logo'],
    [manager, 'company/delete_logo'],
    [worker, 'company/get_details'],
    [worker, 'company/edit_details'],
  ]
  for (const [user, path] of calls) assert.equal((await user.call(path, {})).status, 403, path)
  const owner = await given.user(company)
  await shown(owner, 'company/edit_details', full)
  for (const path of ['session/get', 'settings/get'])
    assert.ok(!(await worker.call(path)).text.includes(full.bank_account), path)
})

rule('company.details.logo', async () => {
  const company = await given.company()
  const [owner, worker] = [await given.user(company), await given.user(company, 'worker')]
  let former: string | undefined
  for (const [bytes, type] of [
    [png(1_200, 3), 'image/png'],
    [jpeg, 'image/jpeg'],
  ] as const) {
    const { logo } = await shown(owner, 'company/set_logo', { content: base64(bytes) })
    assert.equal((await read(owner)).logo, logo)
    const response = await get(worker, logo)
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, type])
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes)
    if (former !== undefined) assert.equal(await statusOf(owner, former), 404)
    former = logo
  }
  assert.equal(await statusOf(undefined, former ?? ''), 401)
  assert.equal(await statusOf(owner, 'logo-'), 404)
})

rule('company.details.logo.delete', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const { logo } = await shown(owner, 'company/set_logo', { content: base64(png(2, 2)) })
  await query(company.id, 'update company_clock set storage_limit_mib = 0 where company_id = $1', [company.id])
  const refused = await owner.call('company/set_logo', { content: base64(png(4, 4)) })
  assert.equal(refused.body.error, 'Storage limit reached')
  await shown(owner, 'company/delete_logo')
  assert.equal((await read(owner)).logo, null)
  assert.equal(await statusOf(owner, logo), 404)
})

rule('company.details.logo.refused', async () => {
  const owner = await given.user(await given.company())
  const large = Buffer.alloc(512 * 1024 + 1)
  const notPicture = 'Logo is not a JPEG or PNG without metadata'
  for (const [content, error] of [
    [undefined, 'No content in input'],
    ['*', 'Invalid content value. Must be base64'],
    [5, 'Invalid content value. Must be base64'],
    [base64(webp), notPicture],
    [base64(pdf), notPicture],
    [base64(png(2, 2, [pngChunk('tEXt', Buffer.from('Author'))])), notPicture],
    [base64(png(1_201, 2)), 'Logo is too large. Must be at most 1200 pixels wide and high'],
    [base64(large), 'Logo is too large. Must be at most 512 kB'],
    [base64(Buffer.alloc(2 * 1024 * 1024)), 'Logo is too large. Must be at most 512 kB'],
  ] as const)
    assert.equal(await refusal(owner, 'company/set_logo', { content }), error)
})

rule('company.details.company', async () => {
  const [owner, other] = [await given.user(await given.company()), await given.user(await given.company())]
  await shown(owner, 'company/edit_details', full)
  const { logo } = await shown(owner, 'company/set_logo', { content: base64(png(3, 3)) })
  assert.deepEqual(await read(other), { success: true, details: none, logo: null })
  assert.equal(await statusOf(other, logo), 404)
})
