// A company with a quote, for the tests of quotes.

import { type Company, given, type SettingsGiven, type User } from './given.ts'
import { shown } from './screens.ts'

export type Quoted = {
  readonly company: Company
  readonly user: User
  readonly product: number
  readonly customer: number
  /** Adds a quote, of 3 pieces for 30.30 unless overridden, and returns its id. */
  readonly add: (body?: object) => Promise<number>
  /** The same, and sends it; returns the token of the link, too. */
  readonly send: (body?: object) => Promise<{ readonly id: number; readonly token: string }>
}

export async function quoted(settings: SettingsGiven = {}): Promise<Quoted> {
  const company = await given.company(settings)
  const user = await given.user(company, 'manager')
  const { id: product } = await given.product(company, { name: 'Oak table', sku: 'TABLE' })
  const contact = { address_legal: 'Bill street 1', address_real: 'Ship street 2' }
  const { id: customer } = await given.customer(company, { name: 'Beech & Co', ...contact })
  const add = async (body: object = {}): Promise<number> => {
    const products = [{ id: product, amount: 3, total: 30.3 }]
    return (await shown(user, 'quotes/add', { customer_id: customer, products, ...body })).quote_id
  }
  const send = async (body: object = {}): Promise<{ id: number; token: string }> => {
    const id = await add(body)
    return { id, token: (await shown(user, 'quotes/send', { quote_id: id })).token }
  }
  return { company, user, product, customer, add, send }
}

export const quoteOf = async (user: User, id: number) => (await shown(user, 'quotes/get_card', { quote_id: id })).quote
