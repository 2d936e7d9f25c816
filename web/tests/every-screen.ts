// Every address of the screens, each with a record worth looking at. `src/routes.tsx` is the list they are held to: a screen that is not
// here is missed by name.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Screen = {
  /** What its picture is called. */
  readonly name: string
  /** The line of routes.tsx that it belongs to. */
  readonly route: string
  readonly path: string
  /** Opened by nobody who is signed in. */
  readonly isOutside?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Ask = (path: string, body: object) => Promise<any>

/** The routes as routes.tsx has them, those of settings with their parent in front. */
export function routes(): string[] {
  const text = readFileSync(join(import.meta.dirname, '..', 'src', 'routes.tsx'), 'utf8')
  const [outer = '', settings = ''] = text.split("path: 'settings',")
  const pathsOf = (part: string): string[] =>
    [...part.matchAll(/\{ path: '([^']+)', lazy/g)].map(([, path]) => path ?? '')
  return ['', ...pathsOf(outer), 'settings', ...pathsOf(settings).map((path) => `settings/${path}`)]
}

export async function everyScreen(ask: Ask): Promise<Screen[]> {
  const first = async (section: string, body: object = {}): Promise<number> => {
    const answer = await ask(`${section}/browse`, { limit: 1, ...body })
    const [row] = answer[section] as { id: number }[]
    if (row === undefined) throw new Error(`${section}/browse ${JSON.stringify(body)} shows nothing to look at`)
    return row.id
  }
  const sale = (body: object) => first('orders', { sort: 'total', direction: 'desc', ...body })
  const { token } = await ask('users/invite', { email: 'dora@eichholz.example', role: 'worker' })
  const { requests } = await ask('requests/get_list', { method: 'orders/add', outcome: 'ok', limit: 1, offset: 0 })
  const { transfers } = await ask('transfers/browse', { limit: 1, sort: 'date', direction: 'desc' })
  const product = await first('products', { search: 'TBL-LIN-180-W' })
  const at = (name: string, route: string, path = `/${route}`): Screen => ({ name, route, path })
  return [
    { ...at('sign-in', 'sign-in'), isOutside: true },
    { ...at('sign-up', 'sign-up'), isOutside: true },
    { ...at('invitation', 'invitation/:token', `/invitation/${token}`), isOutside: true },
    at('dashboard', '', '/'),
    at('sales', 'sales', '/sales?cut=all'),
    at('sales-to-ship', 'sales', '/sales?cut=to_ship'),
    at('sale-new', 'sales/new'),
    at('sale-in-parts', 'sales/:id', `/sales/${await sale({ status: [2] })}`),
    at('sale-packed', 'sales/:id', `/sales/${await sale({ status: [1] })}`),
    at('sale-shipped', 'sales/:id', `/sales/${await sale({ status: [3] })}?tab=effect`),
    at('purchases', 'purchases', '/purchases?cut=all'),
    at('purchase-new', 'purchases/new'),
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
    at('settings-company', 'settings'),
    at('settings-integrations', 'settings/integrations'),
    at('settings-requests', 'settings/requests'),
    at('settings-request', 'settings/requests/:id', `/settings/requests/${requests[0].request_id}`),
    at('settings-reference', 'settings/reference'),
    at('settings-reference-method', 'settings/reference/:section/:method', '/settings/reference/orders/add'),
    at('settings-units', 'settings/units'),
    at('settings-categories', 'settings/categories'),
    at('settings-storages', 'settings/storages'),
    at('settings-users', 'settings/users'),
    at('settings-profile', 'settings/profile'),
    at('not-found', '', '/nowhere'),
  ]
}
