// Texts shared by documents other than sales.

import { plural } from './plural.ts'

export const documents = {
  changeState: (num: string, state: string) => `${num}: ${state}. Change status`,
  number: 'Number',
  numberNext: 'Next number',
  date: 'Date',
  notes: 'Notes',
  productsStorage: 'Products location',
  materialsStorage: 'Materials location',
  amount: 'Quantity',
  lines: 'Lines',
  cost: 'Cost',
  source: 'Source',
  state: 'Status',
  item: 'Item',
  storage: 'Storage location',
  days: 'Date',
  copy: 'Copy',
  delete: 'Delete',
  cancel: 'Cancel',
  create: 'Create',
  effectTab: 'Stock effect',
  historyTab: 'History',
  notSaved: 'Not saved. Your changes are still here.',
  saving: (name: string) => {
    const within = name.charAt(0).toLowerCase() + name.slice(1)
    return { title: `Save ${within}?`, lead: `Saves ${within}`, label: 'Save' }
  },
  figure: {
    total: 'Total',
    goods: 'Goods',
    goodsGone: 'All shipped',
    shipped: 'Shipped',
    received: 'Received',
    ofLines: (done: string, all: number) => `${done} of ${plural(all, 'line')}`,
    missingLines: (n: number) => `${plural(n, 'line')} missing`,
    quantity: 'Quantity',
    missing: 'Materials',
    allThere: 'All available',
    missingItems: (n: number) => `${plural(n, 'item')} missing`,
    cost: 'Cost',
    costUnknown: 'not known yet',
  },
  readOnly: 'Your role can view this but not change it.',
  day: (day: string) => `on ${day}`,
} as const
