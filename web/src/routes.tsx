// Every route and its screen, one line each. A screen's file exports `Component` and is loaded when its route is opened.

import { createBrowserRouter } from 'react-router'
import { Broken, NotFound, Root } from './frame/root.tsx'

export const router = createBrowserRouter([
  {
    Component: Root,
    ErrorBoundary: Broken,
    HydrateFallback: () => null,
    children: [
      { path: 'sign-in', lazy: () => import('./access/sign-in.tsx') },
      { path: 'sign-up', lazy: () => import('./access/sign-up.tsx') },
      { path: 'invitation/:token', lazy: () => import('./access/invitation.tsx') },
      {
        lazy: () => import('./frame/frame.tsx'),
        children: [
          {
            ErrorBoundary: Broken,
            children: [
              { index: true, lazy: () => import('./dashboard/dashboard.tsx') },
              // Sales
              { path: 'sales', lazy: () => import('./sales/sales-list.tsx') },
              { path: 'sales/new', lazy: () => import('./sales/sale-new.tsx') },
              { path: 'sales/:id', lazy: () => import('./sales/sale-card.tsx') },
              { path: 'to-fix', lazy: () => import('./to-fix/to-fix.tsx') },
              // Purchases and production
              { path: 'purchases', lazy: () => import('./purchases/purchases-list.tsx') },
              { path: 'purchases/new', lazy: () => import('./purchases/purchase-card.tsx') },
              { path: 'purchases/order', lazy: () => import('./purchases/reorder.tsx') },
              { path: 'purchases/:id', lazy: () => import('./purchases/purchase-card.tsx') },
              { path: 'productions', lazy: () => import('./production/board.tsx') },
              { path: 'productions/list', lazy: () => import('./production/productions-list.tsx') },
              { path: 'productions/new', lazy: () => import('./production/production-card.tsx') },
              { path: 'productions/:id', lazy: () => import('./production/production-card.tsx') },
              // Stock, transfers, write-offs, audits
              { path: 'stock', lazy: () => import('./stock/stock-list.tsx') },
              { path: 'stock/items/:id', lazy: () => import('./stock/item-stock.tsx') },
              { path: 'transfers', lazy: () => import('./stock/transfers-list.tsx') },
              { path: 'transfers/new', lazy: () => import('./stock/transfer-card.tsx') },
              { path: 'transfers/:id', lazy: () => import('./stock/transfer-card.tsx') },
              { path: 'write-offs', lazy: () => import('./stock/write-offs-list.tsx') },
              { path: 'write-offs/new', lazy: () => import('./stock/write-off-card.tsx') },
              { path: 'write-offs/:id', lazy: () => import('./stock/write-off-card.tsx') },
              { path: 'audits', lazy: () => import('./stock/audits-list.tsx') },
              { path: 'audits/count/:id?', lazy: () => import('./stock/count-sheet.tsx') },
              { path: 'audits/:id', lazy: () => import('./stock/audit-card.tsx') },
              // Products, materials, resources
              { path: 'products', lazy: () => import('./catalog/products-list.tsx') },
              { path: 'products/:id', lazy: () => import('./catalog/product-card.tsx') },
              { path: 'materials', lazy: () => import('./catalog/materials-list.tsx') },
              { path: 'materials/:id', lazy: () => import('./catalog/material-card.tsx') },
              { path: 'resources', lazy: () => import('./catalog/resources-list.tsx') },
              { path: 'resources/:id', lazy: () => import('./catalog/resource-card.tsx') },
              // Customers, suppliers
              { path: 'customers', lazy: () => import('./contacts/customers-list.tsx') },
              { path: 'customers/:id', lazy: () => import('./contacts/customer-card.tsx') },
              { path: 'suppliers', lazy: () => import('./contacts/suppliers-list.tsx') },
              { path: 'suppliers/:id', lazy: () => import('./contacts/supplier-card.tsx') },
              // Settings
              {
                path: 'settings',
                lazy: () => import('./settings/settings-frame.tsx'),
                children: [
                  { index: true, lazy: () => import('./settings/company.tsx') },
                  { path: 'integrations', lazy: () => import('./settings/integrations.tsx') },
                  { path: 'webhooks', lazy: () => import('./settings/webhooks.tsx') },
                  { path: 'webhooks/:id', lazy: () => import('./settings/webhook.tsx') },
                  { path: 'requests', lazy: () => import('./settings/requests.tsx') },
                  { path: 'requests/:id', lazy: () => import('./settings/request.tsx') },
                  { path: 'reference', lazy: () => import('./settings/reference.tsx') },
                  { path: 'reference/:section/:method', lazy: () => import('./settings/reference.tsx') },
                  { path: 'units', lazy: () => import('./settings/units.tsx') },
                  { path: 'categories', lazy: () => import('./settings/categories.tsx') },
                  { path: 'storages', lazy: () => import('./settings/storages.tsx') },
                  { path: 'users', lazy: () => import('./settings/users.tsx') },
                  { path: 'profile', lazy: () => import('./settings/profile.tsx') },
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
