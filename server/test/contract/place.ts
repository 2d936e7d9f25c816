// A company with one of everything, including the records that only the app API has, and a user of each role.

import type { Role } from '../../kernel/method.ts'
import { type Company, given, type User } from '../harness/given.ts'
import { until } from '../harness/until.ts'
import { makeWorld, type World } from './world.ts'

export type Place = { readonly world: World; readonly company: Company; readonly users: Readonly<Record<Role, User>> }

export async function makePlace(mark: string, own?: Company): Promise<Place> {
  const made = await makeWorld(mark, own)
  const { company } = made
  const users = {
    owner: await given.user(company, 'owner'),
    manager: await given.user(company, 'manager'),
    worker: await given.user(company, 'worker'),
  }
  const spare = await given.user(company, 'worker')
  const email = `${mark}-${company.id}@example.com`
  const { body: invited } = await users.owner.call('users/invite', { email, role: 'worker' })
  const { body: connected } = await users.owner.call('connections/add', { name: `${mark} shop` })
  const { body: replacing } = await users.owner.call('connections/add', { name: `${mark} new shop` })
  const { body: hook } = await users.owner.call('webhooks/add', { url: 'https://shop.example/', enabled: 0 })
  const { body: list } = await users.owner.call('connections/get_list')
  const sent = await company.call('units/get_list')
  const values = new Map<string, unknown>([
    ...made.values,
    ['user_id', spare.id],
    ['invitation_id', invited.invitation_id],
    ['connection_id', connected.connection_id],
    ['by_connection_id', replacing.connection_id],
    ['webhook_id', hook.webhook_id],
    ['key_id', list.connections[1].keys[0].key_id],
    ['request_id', await logged(users.owner, sent.headers.get('x-request-id') ?? '')],
    ['history record_id', made.values.get('order_id')],
    ['requests record_id', made.values.get('order_id')],
    ['record', 'sale'],
    ['requests method', 'orders/add'],
    ['outcome', 'ok'],
    ['after', 0],
    ['email', () => `${Math.random()}@example.com`],
    ['role', 'worker'],
    ['number_prefix', 'X-'],
    ['overlap_hours', 1],
    ['currency', 'EUR'],
    ['timezone', 'UTC'],
    ['first_sale_number', '2026-0001'],
    ['default_sale_status', 0],
    ['materials_in_sales', 1],
    ['default_fulfillment', 'stock'],
    ['show_payment_status', 1],
    ['requires_second_factor', 0],
    ['requests date_from', '2026-01-01'],
    ['requests date_to', '2099-12-31'],
    ['requests search', 'live'],
  ])
  return { world: { company, values }, company, users }
}

async function logged(user: User, requestId: string): Promise<string> {
  const isLogged = async () => (await user.call('requests/get_entry', { request_id: requestId })).status === 200
  await until(isLogged, { pollMs: 50, what: () => 'the request was not logged' })
  return requestId
}
