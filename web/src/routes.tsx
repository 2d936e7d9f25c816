// Every route and its screen, one line each. A screen's file exports `Component` and is loaded when its route is opened.

import { createBrowserRouter } from 'react-router'
import { Broken, NotFound, Root } from './frame/root.tsx'
import { screen, whenReloading } from './frame/screen.ts'
import { requestEarly } from './server/query.ts'

export const router = createBrowserRouter([
  {
    Component: Root,
    ErrorBoundary: Broken,
    HydrateFallback: () => null,
    children: [
      { path: 'sign-in', lazy: screen(() => import('./access/sign-in.tsx')) },
      { path: 'sign-in/with/:link', lazy: screen(() => import('./access/sign-in-with.tsx')) },
      { path: 'sign-in/return', lazy: screen(() => import('./access/sign-in-return.tsx')) },
      { path: 'sign-up', lazy: screen(() => import('./access/sign-up.tsx')) },
      { path: 'confirm/:token', lazy: screen(() => import('./access/confirm-sign-up.tsx')) },
      { path: 'forgot-password', lazy: screen(() => import('./access/forgot-password.tsx')) },
      { path: 'reset-password/:token', lazy: screen(() => import('./access/reset-password.tsx')) },
      { path: 'invitation/:token', lazy: screen(() => import('./access/invitation.tsx')) },
      { path: 'q/:token', lazy: screen(() => import('./quotes/shared-quote.tsx')) },
      { path: 'switch-company', lazy: screen(() => import('./access/switch-company.tsx')) },
      {
        lazy: screen(() => import('./frame/frame.tsx')),
        ...requestEarly(() => ['session/get', {}]),
        children: [
          {
            ErrorBoundary: Broken,
            children: [
              {
                index: true,
                lazy: screen(() => import('./dashboard/dashboard.tsx')),
                ...requestEarly(() => ['dashboard/get', {}]),
              },
              // Sales
              { path: 'sales', lazy: screen(() => import('./sales/sales-list.tsx')) },
              { path: 'sales/new', lazy: screen(() => import('./sales/sale-new.tsx')) },
              { path: 'sales/:id', lazy: screen(() => import('./sales/sale-card.tsx')) },
              { path: 'quotes', lazy: screen(() => import('./quotes/quotes-list.tsx')) },
              { path: 'quotes/new', lazy: screen(() => import('./quotes/quote-card.tsx')) },
              { path: 'quotes/:id', lazy: screen(() => import('./quotes/quote-card.tsx')) },
              { path: 'to-fix', lazy: screen(() => import('./to-fix/to-fix.tsx')) },
              // Purchases and production
              { path: 'purchases', lazy: screen(() => import('./purchases/purchases-list.tsx')) },
              { path: 'purchases/new', lazy: screen(() => import('./purchases/purchase-card.tsx')) },
              { path: 'purchases/order', lazy: screen(() => import('./purchases/reorder.tsx')) },
              { path: 'purchases/:id', lazy: screen(() => import('./purchases/purchase-card.tsx')) },
              { path: 'productions', lazy: screen(() => import('./production/board.tsx')) },
              { path: 'productions/list', lazy: screen(() => import('./production/productions-list.tsx')) },
              { path: 'productions/new', lazy: screen(() => import('./production/production-card.tsx')) },
              { path: 'productions/:id', lazy: screen(() => import('./production/production-card.tsx')) },
              // Stock, transfers, write-offs, audits
              { path: 'stock', lazy: screen(() => import('./stock/stock-list.tsx')) },
              { path: 'stock/items/:id', lazy: screen(() => import('./stock/item-stock.tsx')) },
              { path: 'transfers', lazy: screen(() => import('./stock/transfers-list.tsx')) },
              { path: 'transfers/new', lazy: screen(() => import('./stock/transfer-card.tsx')) },
              { path: 'transfers/:id', lazy: screen(() => import('./stock/transfer-card.tsx')) },
              { path: 'write-offs', lazy: screen(() => import('./stock/write-offs-list.tsx')) },
              { path: 'write-offs/new', lazy: screen(() => import('./stock/write-off-card.tsx')) },
              { path: 'write-offs/:id', lazy: screen(() => import('./stock/write-off-card.tsx')) },
              { path: 'audits', lazy: screen(() => import('./stock/audits-list.tsx')) },
              { path: 'audits/count/:id?', lazy: screen(() => import('./stock/count-sheet.tsx')) },
              { path: 'audits/:id', lazy: screen(() => import('./stock/audit-card.tsx')) },
              // Products, materials, resources
              { path: 'products', lazy: screen(() => import('./catalog/products-list.tsx')) },
              { path: 'products/:id', lazy: screen(() => import('./catalog/product-card.tsx')) },
              { path: 'materials', lazy: screen(() => import('./catalog/materials-list.tsx')) },
              { path: 'materials/:id', lazy: screen(() => import('./catalog/material-card.tsx')) },
              { path: 'resources', lazy: screen(() => import('./catalog/resources-list.tsx')) },
              { path: 'resources/:id', lazy: screen(() => import('./catalog/resource-card.tsx')) },
              // Customers, suppliers
              { path: 'customers', lazy: screen(() => import('./contacts/customers-list.tsx')) },
              { path: 'customers/:id', lazy: screen(() => import('./contacts/customer-card.tsx')) },
              { path: 'suppliers', lazy: screen(() => import('./contacts/suppliers-list.tsx')) },
              { path: 'suppliers/:id', lazy: screen(() => import('./contacts/supplier-card.tsx')) },
              // Import
              { path: 'import', lazy: screen(() => import('./import/import-page.tsx')) },
              { path: 'import/:id', lazy: screen(() => import('./import/import-card.tsx')) },
              // Settings
              {
                path: 'settings',
                lazy: screen(() => import('./settings/settings-frame.tsx')),
                children: [
                  { index: true, lazy: screen(() => import('./settings/company.tsx')) },
                  { path: 'details', lazy: screen(() => import('./settings/details.tsx')) },
                  { path: 'integrations', lazy: screen(() => import('./settings/integrations.tsx')) },
                  { path: 'webhooks', lazy: screen(() => import('./settings/webhooks.tsx')) },
                  { path: 'webhooks/:id', lazy: screen(() => import('./settings/webhook.tsx')) },
                  { path: 'requests', lazy: screen(() => import('./settings/requests.tsx')) },
                  { path: 'requests/:id', lazy: screen(() => import('./settings/request.tsx')) },
                  { path: 'reference', lazy: screen(() => import('./settings/reference.tsx')) },
                  { path: 'reference/:section/:method', lazy: screen(() => import('./settings/reference.tsx')) },
                  { path: 'taxes', lazy: screen(() => import('./settings/taxes.tsx')) },
                  { path: 'units', lazy: screen(() => import('./settings/units.tsx')) },
                  { path: 'categories', lazy: screen(() => import('./settings/categories.tsx')) },
                  { path: 'storages', lazy: screen(() => import('./settings/storages.tsx')) },
                  { path: 'users', lazy: screen(() => import('./settings/users.tsx')) },
                  { path: 'mails', lazy: screen(() => import('./settings/mails.tsx')) },
                  { path: 'test-company', lazy: screen(() => import('./settings/test-company.tsx')) },
                  { path: 'single-sign-on', lazy: screen(() => import('./settings/single-sign-on.tsx')) },
                  { path: 'security', lazy: screen(() => import('./settings/security.tsx')) },
                  { path: 'data', lazy: screen(() => import('./settings/data.tsx')) },
                  { path: 'profile', lazy: screen(() => import('./settings/profile.tsx')) },
                  { path: '*', Component: NotFound },
                ],
              },
              { path: '*', Component: NotFound },
            ],
          },
        ],
      },
    ],
  },
])

whenReloading(() => {
  const { location } = router.state.navigation
  return location === undefined ? window.location.href : new URL(router.createHref(location), window.location.href).href
})
