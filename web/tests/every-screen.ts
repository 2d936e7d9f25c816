// Every address of the screens, each with a representative record. `src/routes.tsx` is the reference: a test fails with the name of a
// route that is missing here.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Screen = {
  /** The name of its screenshot. */
  readonly name: string
  /** The entry of routes.tsx that it belongs to. */
  readonly route: string
  readonly path: string
  /** Opened without a session. */
  readonly isOutside?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: responses have different shapes
export type CallMethod = (path: string, body: object) => Promise<any>

/** The routes in routes.tsx, those of settings with their parent prefixed. */
export function routes(): string[] {
  const text = readFileSync(join(import.meta.dirname, '..', 'src', 'routes.tsx'), 'utf8')
  const [outer = '', settings = ''] = text.split("path: 'settings',")
  const pathsOf = (part: string): string[] =>
    [...part.matchAll(/\{ path: '([^']+)', lazy/g)].map(([, path]) => path ?? '')
  return ['', ...pathsOf(outer), 'settings', ...pathsOf(settings).map((path) => `settings/${path}`)]
}

const at = (name: string, route: string, path = `/${route}`): Screen => ({ name, route, path })

const quoteScreens = (id: number): Screen[] => [
  at('quotes', 'quotes'),
  at('quote-new', 'quotes/new'),
  at('quote', 'quotes/:id', `/quotes/${id}`),
]

const settingsScreens = (requestId: string, webhookId: number): Screen[] => [
  at('settings-company', 'settings'),
  at('settings-details', 'settings/details'),
  at('settings-integrations', 'settings/integrations'),
  at('settings-webhooks', 'settings/webhooks'),
  at('settings-webhook', 'settings/webhooks/:id', `/settings/webhooks/${webhookId}`),
  at('settings-requests', 'settings/requests'),
  at('settings-request', 'settings/requests/:id', `/settings/requests/${requestId}`),
  at('settings-reference', 'settings/reference'),
  at('settings-reference-method', 'settings/reference/:section/:method', '/settings/reference/orders/add'),
  at('settings-taxes', 'settings/taxes'),
  at('settings-units', 'settings/units'),
  at('settings-categories', 'settings/categories'),
  at('settings-storages', 'settings/storages'),
  at('settings-users', 'settings/users'),
  at('settings-mails', 'settings/mails'),
  at('settings-single-sign-on', 'settings/single-sign-on'),
  at('settings-security', 'settings/security'),
  at('settings-data', 'settings/data'),
  at('settings-test-company', 'settings/test-company'),
  at('settings-profile', 'settings/profile'),
]

const outsideScreens = (token: string, quoteToken: string): Screen[] =>
  [
    at('sign-in', 'sign-in'),
    at('sign-in-with', 'sign-in/with/:link', '/sign-in/with/unknown'),
    at('sign-in-return', 'sign-in/return'),
    at('sign-up', 'sign-up'),
    at('confirm-sign-up', 'confirm/:token', `/confirm/${token}`),
    at('forgot-password', 'forgot-password'),
    at('reset-password', 'reset-password/:token', `/reset-password/${token}`),
    at('invitation', 'invitation/:token', `/invitation/${token}`),
    at('quote-shared', 'q/:token', `/q/${quoteToken}`),
  ].map((screen) => ({ ...screen, isOutside: true }))

export async function everyScreen(call: CallMethod): Promise<Screen[]> {
  const first = async (section: string, body: object = {}): Promise<number> => {
    const response = await call(`${section}/browse`, { limit: 1, ...body })
    const [row] = response[section] as { id: number }[]
    if (row === undefined) throw new Error(`${section}/browse ${JSON.stringify(body)} returns no record`)
    return row.id
  }
  const sale = (body: object) => first('orders', { sort: 'total', direction: 'desc', ...body })
  const { token } = await call('users/invite', { email: 'dora@eichholz.example', role: 'worker' })
  const { requests } = await call('requests/get_list', { method: 'orders/add', outcome: 'ok', limit: 1, offset: 0 })
  const { transfers } = await call('transfers/browse', { limit: 1, sort: 'date', direction: 'desc' })
  const { webhook_id: webhook } = await call('webhooks/add', { url: 'https://shop.example/webhooks', enabled: 0 })
  const { import_id: imported } = await call('imports/add', { kind: 'products', name: 'products.xlsx' })
  const rows = [
    { line: 2, fields: { sku: 'TBL-LIN-180-W', price: '1290' } },
    { line: 3, fields: { sku: 'TBL-NEW', name: 'Table New', unit: 'pair', price: '990' } },
    { line: 4, fields: { sku: 'TBL-OLD', name: 'Table Old', price: 'cheap' } },
  ]
  await call('imports/add_rows', { import_id: imported, kind: 'products', position: 0, rows })
  const quote = await sentQuote(call)
  const product = await first('products', { search: 'TBL-LIN-180-W' })
  return [
    ...outsideScreens(token, quote.token),
    at('dashboard', '', '/'),
    at('sales', 'sales', '/sales?cut=all'),
    at('sales-to-ship', 'sales', '/sales?cut=to_ship'),
    at('sale-new', 'sales/new'),
    at('sale-in-parts', 'sales/:id', `/sales/${await sale({ status: [2] })}`),
    at('sale-packed', 'sales/:id', `/sales/${await sale({ status: [1] })}`),
    at('sale-shipped', 'sales/:id', `/sales/${await sale({ status: [3] })}?tab=effect`),
    ...quoteScreens(quote.id),
    at('to-fix', 'to-fix'),
    at('purchases', 'purchases', '/purchases?cut=all'),
    at('purchase-new', 'purchases/new'),
    at('purchases-reorder', 'purchases/order'),
    at('purchase', 'purchases/:id', `/purchases/${await first('purchases', { cut: 'open' })}`),
    at('production-board', 'productions'),
    at('productions', 'productions/list', '/productions/list?cut=all'),
    at('production-new', 'productions/new'),
    at('production', 'productions/:id', `/productions/${await first('productions', { cut: 'open' })}`),
    at('stock', 'stock'),
    at('stock-low', 'stock', '/stock?cut=low'),
    at('stock-of-item', 'stock/items/:id', `/stock/items/${product}`),
    at('transfers', 'transfers'),
    at('transfer-new', 'transfers/new'),
    at('transfer', 'transfers/:id', `/transfers/${transfers[0].id}`),
    at('write-offs', 'write-offs'),
    at('write-off-new', 'write-offs/new'),
    at('write-off', 'write-offs/:id', `/write-offs/${await first('writeoffs')}`),
    at('audits', 'audits'),
    at('audit-count', 'audits/count/:id?', `/audits/count/${await first('audits', { status: [0] })}`),
    at('audit-start', 'audits/count/:id?', '/audits/count'),
    at('audit', 'audits/:id', `/audits/${await first('audits', { status: [3] })}`),
    at('products', 'products'),
    at('product', 'products/:id', `/products/${product}`),
    at('product-new', 'products/:id', '/products/new'),
    at('materials', 'materials'),
    at('material', 'materials/:id', `/materials/${await first('materials', { search: 'TIM-OAK-27' })}`),
    at('resources', 'resources'),
    at('resource', 'resources/:id', `/resources/${await first('resources')}`),
    at('customers', 'customers', '/customers?sort=total&dir=desc'),
    at('customer', 'customers/:id', `/customers/${await first('customers', { sort: 'total', direction: 'desc' })}`),
    at('suppliers', 'suppliers'),
    at('supplier', 'suppliers/:id', `/suppliers/${await first('suppliers', { sort: 'total', direction: 'desc' })}`),
    at('import', 'import'),
    at('import-check', 'import/:id', `/import/${imported}`),
    ...settingsScreens(requests[0].request_id, webhook),
    at('not-found', '', '/nowhere'),
  ]
}

/** A quote of the demo's largest sale, sent to its customer. */
async function sentQuote(call: CallMethod): Promise<{ readonly id: number; readonly token: string }> {
  const { orders } = await call('orders/browse', { sort: 'total', direction: 'desc', limit: 1 })
  const { lines } = await call('orders/get_card', { order_id: orders[0].id })
  const products = (lines as { type: string; id: number; amount: number; total: number }[])
    .filter(({ type }) => type === 'product')
    .map(({ id, amount, total }) => ({ id, amount, total }))
  const { quote_id: id } = await call('quotes/add', {
    customer_id: orders[0].customer_id,
    products,
    delivery_price: 120,
    notes: 'Delivery within six weeks.',
  })
  const { token } = await call('quotes/send', { quote_id: id })
  return { id, token }
}
