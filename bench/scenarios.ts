// What is measured. A kind is one type of request, with the values it draws; a scenario is a mix of kinds at a number of connections.

import {
  anySale,
  company,
  customer,
  drawn,
  items,
  itemsDrawn,
  itemsOfSale,
  newName,
  newSale,
  offset,
  saleNumber,
  type Values,
  type Variable,
} from './variables.ts'
import { firstSpread, longId, type World } from './world.ts'

export type Ask = { readonly method: string; readonly body: object }

export type Kind = {
  readonly name: string
  readonly variables: readonly Variable[]
  /** One request, or a few that belong together: each needs the result of the previous one. */
  readonly asks: (values: Values) => readonly Ask[]
  /** Ids that each of the requests takes from the company's clock. */
  readonly movements?: number
  /** Whether repeating the request would be different work: then no request is sent twice. */
  readonly once?: boolean
}

export type Scenario = {
  readonly name: string
  readonly title: string
  readonly kinds: readonly { readonly kind: Kind; readonly weight: number }[]
  readonly connections: number
  /** Connections of pgbench; by default as many as the server has. */
  readonly bareConnections?: number
  /** Whether the lean script (lean.pgbench) does the same work. */
  readonly isLean?: boolean
}

const lines = (items: readonly number[], amount: (line: number) => number) =>
  items.map((id, line) => ({ id, amount: amount(line), total: amount(line) * 10 }))

const notes = 'Leave it with the neighbours'

/** Kinds of requests to the companies that `where` draws from, which have `sales` sales each. */
function kindsOf(world: World, where: Variable, sales: number) {
  const add = (name: string, count: number, party: readonly Variable[], named: (values: Values) => object): Kind => ({
    name,
    variables: [where, ...saleNumber, ...items(world, count), ...party],
    movements: count,
    asks: (values) => [
      {
        method: 'orders/add',
        body: {
          num: String(drawn(values, 'num')),
          ...named(values),
          products: lines(itemsDrawn(values), (line) => 1 + (line % 3)),
          delivery_price: 5,
          discount: 1,
          notes,
        },
      },
    ],
  })
  const known = (values: Values) => ({ customer_id: drawn(values, 'customer') })
  const made = (values: Values) => ({
    customer_name: String(drawn(values, 'customer_name')),
    customer_email: 'orders@customer.example',
    customer_phone: '+49 30 100000',
    customer_address_real: '1 Market Street, 10115 Berlin',
  })
  const edit: Kind = {
    name: 'edit',
    variables: [where, ...newSale(sales), ...itemsOfSale(world)],
    movements: 3,
    asks: (values) => [
      {
        method: 'orders/edit',
        // Different quantities than before, so that every edit changes stock.
        body: { order_id: drawn(values, 'sale'), products: lines(itemsDrawn(values), nextAmount) },
      },
    ],
  }
  const status: Kind = {
    name: 'status',
    variables: [where, ...newSale(sales), ...itemsOfSale(world)],
    movements: 3,
    once: true,
    asks: (values) =>
      [3, 0].map((status) => ({
        method: 'orders/update_status',
        body: { order_id: drawn(values, 'sale'), status },
      })),
  }
  const entry: Kind = {
    name: 'get_entry',
    variables: [where, anySale(sales)],
    asks: (values) => [{ method: 'orders/get_entry', body: { order_id: drawn(values, 'sale') } }],
  }
  const first: Kind = {
    name: 'get_list',
    variables: [where],
    asks: () => [{ method: 'orders/get_list', body: { limit: 100 } }],
  }
  const deep: Kind = {
    name: 'get_list_deep',
    variables: [where, offset(Math.floor(sales * 0.9), Math.floor(sales * 0.9) + Math.min(1_000, sales / 20))],
    asks: (values) => [
      { method: 'orders/get_list', body: { limit: 100, offset: Math.min(drawn(values, 'offset'), sales - 100) } },
    ],
  }
  return {
    add: add('add', 3, [customer(world)], known),
    addMade: { ...add('add_made', 3, newName, made), once: true },
    addLong: add('add_long', 50, [customer(world)], known),
    edit,
    status,
    entry,
    first,
    deep,
  }
}

// The loaded sales have at most 3 of an item.
let amounts = 0
const nextAmount = (): number => 10 + (++amounts % 900)

const alone = (kind: Kind) => [{ kind, weight: 1 }]

export function scenariosOf(world: World): Scenario[] {
  const spread = kindsOf(world, company(firstSpread, firstSpread + world.spread - 1), world.spreadSales)
  const longest = world.long.at(-1) ?? 0
  const longestId = longId(world, longest)
  const long = kindsOf(world, company(longestId, longestId), longest)
  const one = kindsOf(world, company(firstSpread, firstSpread), world.spreadSales)
  const count = longest.toLocaleString('en')
  return [
    { name: 'add', title: 'add, 3 lines, known customer', kinds: alone(spread.add), connections: 32, isLean: true },
    { name: 'add-new', title: 'add, 3 lines, new customer', kinds: alone(spread.addMade), connections: 32 },
    { name: 'add-50', title: 'add, 50 lines', kinds: alone(spread.addLong), connections: 32 },
    { name: 'edit', title: 'edit with 3 lines', kinds: alone(spread.edit), connections: 32 },
    { name: 'status', title: 'update_status, shipped and back', kinds: alone(spread.status), connections: 32 },
    { name: 'entry', title: 'get_entry', kinds: alone(spread.entry), connections: 32 },
    { name: 'list', title: 'get_list of 100', kinds: alone(spread.first), connections: 32 },
    { name: 'list-deep', title: `get_list of 100 at 90 % of ${count}`, kinds: alone(long.deep), connections: 32 },
    {
      name: 'add-1',
      title: 'add, 3 lines, one connection',
      kinds: alone(spread.add),
      connections: 1,
      bareConnections: 1,
    },
    { name: 'add-8', title: 'add, 3 lines, 8 clients', kinds: alone(spread.add), connections: 8, isLean: true },
    { name: 'entry-8', title: 'get_entry, 8 clients', kinds: alone(spread.entry), connections: 8 },
    { name: 'list-8', title: 'get_list of 100, 8 clients', kinds: alone(spread.first), connections: 8 },
    { name: 'entry-16', title: 'get_entry, 16 clients', kinds: alone(spread.entry), connections: 16 },
    { name: 'add-16', title: 'add, 3 lines, 16 clients', kinds: alone(spread.add), connections: 16 },
    { name: 'busy', title: 'add, 3 lines, 16 clients on one company', kinds: alone(one.add), connections: 16 },
    { name: 'busy-read', title: 'get_entry, 16 clients on one company', kinds: alone(one.entry), connections: 16 },
    {
      name: 'day',
      title: 'a day of mixed work, 60 % reads',
      kinds: [
        { kind: spread.entry, weight: 40 },
        { kind: spread.first, weight: 20 },
        { kind: spread.add, weight: 20 },
        { kind: spread.addMade, weight: 5 },
        { kind: spread.edit, weight: 5 },
        { kind: spread.status, weight: 5 },
      ],
      connections: 32,
    },
  ]
}

/** The same request in a company with few and in one with many sales, one at a time. */
export function growthOf(world: World): { readonly name: string; readonly few: Scenario; readonly many: Scenario }[] {
  const [few = 0] = world.long
  const many = world.long.at(-1) ?? 0
  const of = (sales: number) => {
    const id = longId(world, sales)
    return kindsOf(world, company(id, id), sales)
  }
  const [small, large] = [of(few), of(many)]
  const scenario = (kind: Kind, sales: number): Scenario => ({
    name: `${kind.name}-${sales}`,
    title: `${kind.name} at ${sales.toLocaleString('en')}`,
    kinds: alone(kind),
    connections: 1,
    bareConnections: 1,
  })
  return (['add', 'entry', 'first', 'deep'] as const).map((name) => ({
    name: small[name].name,
    few: scenario(small[name], few),
    many: scenario(large[name], many),
  }))
}
