// The settings of a company, as the screens read and change them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timezoneOf } from '../../kernel/timezone.ts'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'

test('settings are read and changed one by one', async () => {
  const company = await given.company({ name: 'Oak', timezone: 'UTC', daily_limit: 777 })
  const owner = await given.user(company)
  const standard = {
    name: 'Oak',
    currency: 'EUR',
    first_sale_number: '',
    timezone: 'UTC',
    default_sale_status: 0,
    materials_in_sales: false,
    products_storage_id: 1,
    materials_storage_id: 2,
    default_fulfillment: 'stock',
    show_payment_status: true,
    requires_second_factor: false,
    prices_include_tax: false,
    default_tax_rate_id: null,
    daily_limit: 777,
  }
  const settings = async () => (await owner.call('settings/get')).body.settings
  assert.deepEqual(await settings(), standard)
  const { id: storage } = await given.storage(company, 'Shop')
  const changes: readonly object[] = [
    { name: 'Oak & Sons' },
    { currency: 'chf' },
    { first_sale_number: ' 2026-0001 ' },
    { timezone: 'Europe/Zurich' },
    { default_sale_status: 3 },
    { materials_in_sales: 1 },
    { products_storage_id: storage },
    { materials_storage_id: storage },
    { default_fulfillment: 'production' },
    { prices_include_tax: 1 },
    { show_payment_status: false },
  ]
  for (const change of changes) {
    const reply = await owner.call('settings/edit', change)
    assert.equal(reply.text, '{"success":true}')
  }
  assert.deepEqual(await settings(), {
    ...standard,
    name: 'Oak & Sons',
    currency: 'CHF',
    first_sale_number: '2026-0001',
    timezone: 'Europe/Zurich',
    default_sale_status: 3,
    materials_in_sales: true,
    products_storage_id: storage,
    materials_storage_id: storage,
    default_fulfillment: 'production',
    show_payment_status: false,
    prices_include_tax: true,
  })
  const { body: session } = await owner.call('session/get')
  assert.deepEqual(session.settings, await settings())
  assert.equal(session.company.currency, 'CHF')
  const { body: history } = await owner.call('history/get_list', { record: 'company', record_id: company.id })
  assert.deepEqual(history.events[0].change, { show_payment_status: [true, false] })
  assert.equal(history.total, changes.length + 1)
})

test('the daily limit is shown, and can only be changed on the command line', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const { seq } = (await owner.call('session/get')).body
  assert.equal((await owner.call('settings/edit', { daily_limit: 1_000_000, storage_limit_mib: 9 })).status, 200)
  assert.equal((await owner.call('settings/get')).body.settings.daily_limit, 10_000)
  assert.equal((await owner.call('session/get')).body.seq, seq, 'nothing was changed')
})

test('invalid settings are refused with the message of the field', async () => {
  const owner = await given.user(await given.company())
  const cases: readonly (readonly [object, string])[] = [
    [{ name: ' ' }, 'No name in input'],
    [{ name: [1] }, 'Invalid name value. Must be a string'],
    [{ currency: 'EURO' }, 'Invalid currency value. Must be a three-letter code such as EUR'],
    [{ currency: 'E€R' }, 'Invalid currency value. Must be a three-letter code such as EUR'],
    [{ first_sale_number: 'A-' }, 'Invalid first_sale_number value. Must end with a digit'],
    [{ first_sale_number: [1] }, 'Invalid first_sale_number value. Must be a string'],
    [{ first_sale_number: '1'.repeat(65) }, 'Invalid first_sale_number value. Must be at most 64 characters'],
    [{ timezone: 'Nowhere' }, 'Time zone not found'],
    [{ timezone: 'Europe/Nowhere' }, 'Time zone not found'],
    [{ timezone: 'CEST' }, 'Time zone not found'],
    [{ timezone: 'posix/Europe/Berlin' }, 'Time zone not found'],
    [{ default_sale_status: 2 }, 'Invalid default_sale_status value. Must be one of: 0, 1, 3, 4'],
    [{ materials_in_sales: 'maybe' }, 'Invalid materials_in_sales value. Must be one of: 0, 1'],
    [{ products_storage_id: '' }, 'Storage ID is not set'],
    [{ materials_storage_id: 99 }, 'Storage ID not found'],
    [{ default_fulfillment: 'magic' }, 'Invalid default_fulfillment value. Must be one of: stock, production'],
  ]
  for (const [body, error] of cases) {
    const reply = await owner.call('settings/edit', body)
    assert.deepEqual([reply.status, reply.body.error], [400, error])
  }
})

test('a time zone that PostgreSQL would read as an abbreviation is stored as the place it stands for, with summer time', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  for (const [name, place] of [
    ['CET', 'Europe/Brussels'],
    ['EST5EDT', 'America/New_York'],
    ['UCT', 'UTC'],
    ['Europe/Berlin', 'Europe/Berlin'],
  ]) {
    assert.equal((await owner.call('settings/edit', { timezone: name })).status, 200)
    assert.equal((await owner.call('settings/get')).body.settings.timezone, place)
  }
})

test('every place that an old name of a time zone stands for exists', async () => {
  const company = await given.company()
  const names = await query(company.id, 'select name from pg_timezone_names')
  const known = new Set(names.map(({ name }) => name))
  for (const name of known) {
    const place = timezoneOf(name)
    if (place !== '') assert.ok(known.has(place), `${name} → ${place}`)
    else assert.ok(!/^[A-Z]\w+\/[A-Z]/.test(name), `${name} has no place`)
  }
})
