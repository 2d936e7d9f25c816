// Pictures of items and attached files, over HTTP. Long because files belong to seven kinds of records, and every rule is tested with several of them.

import assert from 'node:assert/strict'
import { url as serverUrl } from '../../test/harness/app.ts'
import { broken, query } from '../../test/harness/database.ts'
import { base64, jpeg, pdf, png, webp } from '../../test/harness/files.ts'
import { type Company, given, type User } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

const drawing = { name: 'drawing.pdf', content: base64(pdf) }
const photo = { name: 'oak.png', content: base64(png(400, 300)), thumbnail: base64(png(64, 48)) }

type Listed = { id: number; name: string; type: string; size: number; tag: string; is_picture: boolean }

async function place() {
  const company = await given.company()
  const [user, worker] = [await given.user(company), await given.user(company, 'worker')]
  const { id } = await given.product(company)
  return { company, user, worker, item: { record: 'item', record_id: id } }
}

const add = async (user: User, body: object): Promise<number> => (await shown(user, 'files/add', body)).file_id
const listed = async (user: User, record: object): Promise<Listed[]> =>
  (await shown(user, 'files/get_list', record)).files

async function forbidden(user: User, path: string, body: object): Promise<string> {
  const reply = await user.call(path, body)
  assert.equal(reply.status, 403, reply.text)
  return reply.body.error
}

const addressOf = ({ id, tag }: Pick<Listed, 'id' | 'tag'>): string => `/screens/files/${id}-${tag}`
const get = (user: User | undefined, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(serverUrl() + path, {
    headers: { 'sec-fetch-site': 'same-origin', ...(user === undefined ? {} : { cookie: user.cookie }), ...headers },
  })

async function statusOf(user: User | undefined, path: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await get(user, path, headers)
  await response.arrayBuffer()
  return response.status
}

rule('files.add', async () => {
  const { user, item } = await place()
  const id = await add(user, { ...item, ...drawing })
  const [file] = await listed(user, item)
  assert.ok(file !== undefined)
  const { tag, created_at: _at, ...rest } = file as Listed & { created_at: string }
  assert.deepEqual(rest, { id, is_picture: false, name: 'drawing.pdf', type: 'application/pdf', size: pdf.length })
  assert.match(tag, /^[\w-]{22}$/)
})

rule('files.add', 'to a document of every kind', async () => {
  const { company, user } = await place()
  for (const [record, record_id] of await documentsOf(company)) {
    const id = await add(user, { record, record_id, ...drawing })
    assert.deepEqual(
      (await listed(user, { record, record_id })).map((one) => one.id),
      [id],
      record,
    )
  }
})

rule('files.picture', async () => {
  const { company, user, item } = await place()
  const first = await add(user, { ...item, picture: 1, ...photo })
  const attached = await add(user, { ...item, ...drawing })
  const second = await add(user, { ...item, picture: true, ...photo, content: base64(webp), name: 'x' })
  assert.deepEqual(
    (await listed(user, item)).map((one) => [one.id, one.is_picture]),
    [
      [second, true],
      [attached, false],
    ],
  )
  assert.equal(await stored(company, first), 0)
  assert.deepEqual(await broken(company.id), [])
  const document = { record: 'audit', record_id: (await documentsOf(company)).get('audit') }
  assert.equal(await refusal(user, 'files/add', { ...document, picture: 1, ...photo }), 'Only items have a picture')
})

rule('files.content', async () => {
  const { user, worker, item } = await place()
  for (const [bytes, type] of [
    [png(20, 10), 'image/png'],
    [jpeg, 'image/jpeg'],
    [webp, 'image/webp'],
  ] as const) {
    await add(user, { ...item, picture: 1, ...photo, content: base64(bytes) })
    const [file] = await listed(worker, item)
    assert.ok(file !== undefined)
    const response = await get(worker, addressOf(file))
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), type)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.match(response.headers.get('cache-control') ?? '', /^private, .*immutable$/)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes)
  }
})

rule('files.content.thumbnail', async () => {
  const { user, item } = await place()
  await add(user, { ...item, ...photo })
  const [file] = await listed(user, item)
  assert.ok(file !== undefined)
  const response = await get(user, `${addressOf(file)}/small`)
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), png(64, 48))
  await add(user, { ...item, ...drawing })
  const attached = (await listed(user, item)).find(({ type }) => type === 'application/pdf')
  assert.ok(attached !== undefined)
  assert.equal(await statusOf(user, `${addressOf(attached)}/small`), 404)
})

rule('files.content.download', async () => {
  const { user, item } = await place()
  await add(user, { ...item, ...drawing, name: `Zeichnung "ä'.pdf` })
  const [file] = await listed(user, item)
  assert.ok(file !== undefined)
  const response = await get(user, addressOf(file))
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), pdf)
  const named = "attachment; filename*=UTF-8''Zeichnung%20%22%C3%A4%27.pdf"
  assert.deepEqual(
    [response.headers.get('content-type'), response.headers.get('content-disposition')],
    ['application/pdf', named],
  )
})

rule('files.content.session', async () => {
  const { user, item } = await place()
  const other = await place()
  const id = await add(user, { ...item, ...photo })
  await add(other.user, { ...other.item, ...photo, content: base64(png(5, 5)) })
  const [file] = await listed(user, item)
  assert.ok(file !== undefined)
  assert.equal(await statusOf(user, addressOf(file)), 200)
  assert.equal(await statusOf(user, addressOf(file), { 'sec-fetch-site': 'none' }), 200)
  assert.equal(await statusOf(undefined, addressOf(file)), 401)
  assert.equal(await statusOf(user, addressOf(file), { 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await statusOf(other.user, addressOf(file)), 404)
  const wrong = [
    'x',
    `${id}`,
    `${id}-`,
    `${id}-${'x'.repeat(22)}`,
    `0-${file.tag}`,
    `${'9'.repeat(15)}-${file.tag}`,
    `%00-${file.tag}`,
  ]
  for (const name of wrong) assert.equal(await statusOf(user, `/screens/files/${name}`), 404, name)
  for (const method of ['POST', 'DELETE']) {
    const response = await fetch(serverUrl() + addressOf(file), {
      method,
      headers: { cookie: user.cookie, 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(response.status, method === 'POST' ? 404 : 405)
  }
})

rule('files.name', async () => {
  const { user, item } = await place()
  const names = {
    'a.PDF': 'a.PDF',
    a: 'a.pdf',
    'a.exe': 'a.exe.pdf',
    ['x'.repeat(255)]: `${'x'.repeat(251)}.pdf`,
    ' b ': 'b.pdf',
  }
  for (const name of Object.keys(names)) await add(user, { ...item, ...drawing, name })
  assert.deepEqual(
    (await listed(user, item)).map(({ name }) => name),
    Object.values(names),
  )
  await add(user, { ...item, ...photo, content: base64(jpeg), name: 'a.jpeg' })
  assert.equal((await listed(user, item)).at(-1)?.name, 'a.jpeg')
})

rule('files.delete', async () => {
  const { company, user, item } = await place()
  const id = await add(user, { ...item, ...photo })
  const [file] = await listed(user, item)
  assert.ok(file !== undefined)
  await shown(user, 'files/delete', { file_id: id })
  assert.deepEqual(await listed(user, item), [])
  assert.equal(await statusOf(user, addressOf(file)), 404)
  assert.equal(await stored(company, id), 0)
})

rule('files.record-deleted', async () => {
  const { company, user } = await place()
  for (const [record, record_id] of await documentsOf(company)) {
    const id = await add(user, { record, record_id, ...drawing })
    const section = sectionOf[record] ?? ''
    const reply = await company.call(`${section}/delete`, { [`${record === 'sale' ? 'order' : record}_id`]: record_id })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(await stored(company, id), 0, record)
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('files.type', async () => {
  const { user, item } = await place()
  const noFile = 'File is not a picture without metadata (JPEG, PNG or WebP) or a PDF'
  const noPicture = 'Picture is not a JPEG, PNG or WebP without metadata'
  const page = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  for (const bytes of [page, Buffer.from('GIF89a'), Buffer.concat([png(3, 3), page]), Buffer.alloc(50)]) {
    assert.equal(await refusal(user, 'files/add', { ...item, ...photo, content: base64(bytes) }), noFile)
    assert.equal(await refusal(user, 'files/add', { ...item, ...photo, picture: 1, content: base64(bytes) }), noPicture)
  }
  assert.equal(await refusal(user, 'files/add', { ...item, ...drawing, picture: 1 }), noPicture)
  assert.deepEqual(await listed(user, item), [])
})

rule('files.size', async () => {
  const { user, item } = await place()
  const mostBytes = 5 * 1024 * 1024
  const long = Buffer.concat([pdf, Buffer.alloc(mostBytes - pdf.length * 2), pdf])
  await add(user, { ...item, ...drawing, content: base64(long) })
  assert.equal((await listed(user, item))[0]?.size, mostBytes)
  const tooLarge = 'File is too large. Must be at most 5 MB'
  for (const more of [1, 2, 3, 1000])
    assert.equal(
      await refusal(user, 'files/add', {
        ...item,
        ...drawing,
        content: base64(Buffer.concat([pdf, long]).subarray(0, mostBytes + more)),
      }),
      tooLarge,
    )
  const tooWide = 'Picture is too large. Must be at most 1600 pixels wide and high'
  for (const [width, height] of [
    [1601, 1],
    [1, 1601],
    [60_000, 60_000],
    [0, 1],
  ] as const)
    assert.equal(await refusal(user, 'files/add', { ...item, ...photo, content: base64(png(width, height)) }), tooWide)
  await add(user, { ...item, ...photo, content: base64(png(1600, 1600)), thumbnail: base64(png(240, 240)) })
  const badThumbnail = 'Thumbnail must be a picture of at most 240 pixels and 32 kB'
  for (const thumbnail of [png(241, 1), pdf, Buffer.alloc(33_000)])
    assert.equal(await refusal(user, 'files/add', { ...item, ...photo, thumbnail: base64(thumbnail) }), badThumbnail)
})

rule('files.limit', async () => {
  const { user, item } = await place()
  for (let count = 1; count < 20; count++) await add(user, { ...item, ...drawing })
  await add(user, { ...item, picture: 1, ...photo })
  assert.equal(await refusal(user, 'files/add', { ...item, ...drawing }), 'Too many files. Must be at most 20')
  await add(user, { ...item, picture: 1, ...photo })
  assert.equal((await listed(user, item)).length, 20)
})

rule('files.not-found', async () => {
  const { company, user, item } = await place()
  const other = await place()
  const foreign = await add(other.user, { ...other.item, ...drawing })
  for (const record_id of [987_654, 0, 'x'])
    assert.equal(await refusal(user, 'files/add', { ...item, record_id, ...drawing }), 'Record not found')
  assert.equal((await company.call('products/delete', { product_id: item.record_id })).status, 200)
  assert.equal(await refusal(user, 'files/add', { ...item, ...drawing }), 'Record not found')
  for (const file_id of [foreign, 987_654, 'x'])
    assert.equal(await refusal(user, 'files/delete', { file_id }), 'File not found')
  assert.deepEqual(
    (await listed(other.user, other.item)).map(({ id }) => id),
    [foreign],
  )
})

rule('files.refused', async () => {
  const { user, item } = await place()
  const full = { ...item, ...photo }
  const cases: readonly (readonly [object, string])[] = [
    [{ record: null }, 'No record in input'],
    [
      { record: 'sales' },
      'Invalid record value. Must be one of: item, sale, purchase, production, writeoff, transfer, audit',
    ],
    [{ record_id: '' }, 'No record_id in input'],
    [{ picture: 2 }, 'Invalid picture value. Must be one of: 0, 1'],
    [{ name: '  ' }, 'No name in input'],
    [{ name: true }, 'Invalid name value. Must be a string'],
    [{ name: 'x'.repeat(256) }, 'Invalid name value. Must be at most 255 characters'],
    [{ content: null }, 'No content in input'],
    [{ content: {} }, 'Invalid content value. Must be a string'],
    [{ content: 'not base64' }, 'Invalid content value. Must be base64'],
    [{ content: base64(jpeg).replace(/=*$/, '!') }, 'Invalid content value. Must be base64'],
    [{ thumbnail: null }, 'No thumbnail in input'],
  ]
  for (const [changed, error] of cases) assert.equal(await refusal(user, 'files/add', { ...full, ...changed }), error)
})

rule('files.roles', async () => {
  const { company, user, worker, item } = await place()
  for (const [record, record_id] of await documentsOf(company)) {
    const body = { record, record_id, ...drawing }
    const isSecret = record === 'sale' || record === 'purchase'
    const id = await add(isSecret ? user : worker, body)
    const [file] = await listed(user, body)
    assert.ok(file !== undefined)
    assert.equal(await statusOf(worker, addressOf(file)), isSecret ? 404 : 200, record)
    assert.equal(await statusOf(user, addressOf(file)), 200, record)
    if (isSecret) {
      assert.equal(await forbidden(worker, 'files/add', body), 'Your role does not allow this')
      assert.equal(await forbidden(worker, 'files/get_list', body), 'Your role does not allow this')
    }
    assert.equal(await forbidden(worker, 'files/delete', { file_id: id }), 'Your role does not allow this')
  }
  assert.equal(await forbidden(worker, 'files/add', { ...item, ...drawing }), 'Your role does not allow this')
})

rule('files.storage', async () => {
  const { company, user, item } = await place()
  const written = async () =>
    Number(
      (await query(company.id, 'select written_bytes from company_clock where company_id = $1', [company.id]))[0]
        .written_bytes,
    )
  const before = await written()
  const long = Buffer.concat([pdf, Buffer.alloc(2 ** 20), pdf])
  const id = await add(user, { ...item, ...drawing, content: base64(long) })
  assert.ok((await written()) - before >= long.length)
  await query(company.id, 'update company_clock set storage_limit_mib = 1 where company_id = $1', [company.id])
  assert.equal(await forbidden(user, 'files/add', { ...item, ...drawing }), 'Storage limit reached')
  await shown(user, 'files/delete', { file_id: id })
})

rule('files.events', async () => {
  const { company, user, item } = await place()
  const first = await add(user, { ...item, picture: 1, ...photo })
  const second = await add(user, { ...item, picture: 1, ...photo })
  await shown(user, 'files/delete', { file_id: second })
  const rows = await query(
    company.id,
    `select record_id::int as id, method, action, change::text from events where company_id = $1 and record = 'file' order by seq`,
    [company.id],
  )
  assert.deepEqual(
    rows.map(({ id, method, action }) => [id, method, action]),
    [
      [first, 'files/add', null],
      [first, 'files/add', 'deleted'],
      [second, 'files/add', null],
      [second, 'files/delete', null],
    ],
  )
  assert.ok(
    rows.every(({ change }) => change.length < 500),
    'an event contains no content',
  )
  const { events } = (await company.call('events/get_list')).body
  assert.ok(events.every(({ record }: { record: string }) => record !== 'file'))
})

const sectionOf: Readonly<Record<string, string>> = {
  sale: 'orders',
  purchase: 'purchases',
  production: 'productions',
  writeoff: 'writeoffs',
  transfer: 'transfers',
  audit: 'audits',
}

/** One document of each kind, by the name of its record. */
async function documentsOf(company: Company): Promise<ReadonlyMap<string, number>> {
  const { id: part } = await given.material(company)
  const { id } = await given.product(company, { made_of: part })
  const lines = [{ id, amount: 1, total: 1 }]
  const bodies: Readonly<Record<string, object>> = {
    sale: { num: '1', customer_name: 'C', products: lines },
    purchase: { supplier_name: 'S', products: lines },
    production: { products: lines },
    writeoff: { products: lines },
    transfer: { storage_from_id: 1, storage_to_id: 2, products: lines, status: 0 },
    audit: { storage_id: 1, products: [{ id, counted: 1 }] },
  }
  const made = new Map<string, number>()
  for (const [record, body] of Object.entries(bodies)) {
    const reply = await company.call(`${sectionOf[record]}/add`, body)
    assert.equal(reply.status, 200, `${record}: ${reply.text}`)
    made.set(
      record,
      Number(Object.entries(reply.body).find(([name]) => name === `${record === 'sale' ? 'order' : record}_id`)?.[1]),
    )
  }
  return made
}

const stored = async (company: Company, id: number): Promise<number> =>
  Number(
    (await query(company.id, 'select count(*) from files where company_id = $1 and id = $2', [company.id, id]))[0]
      .count,
  )
