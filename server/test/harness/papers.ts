// Facts of documents to print, without a database.

import type {
  CompanyFacts,
  JobFacts,
  LabelFacts,
  PurchaseFacts,
  QuoteFacts,
  SaleFacts,
  SlipFacts,
} from '../../overview/paper/job.ts'

export const printingCompany: CompanyFacts = {
  name: 'Eichholz',
  legal_name: 'Eichholz Werkstatt GmbH',
  address: 'Lindenstraße 5\n10969 Berlin',
  country: 'DE',
  email: 'office@oak.example',
  phone: '+49 30 1234567',
  currency: 'EUR',
  paper_size: '',
  document_language: '',
  vat_number: 'DE123456789',
  registration: 'HRB 12345, Amtsgericht Berlin',
  bank_name: 'Sparkasse Berlin',
  bank_account: 'DE02 1203 0000 0000 2020 51',
  bank_code: 'BYLADEM1001',
}

const names = ['Oak table', 'Стол дубовый «Классика»', 'Τραπέζι δρύινο', 'Łóżko dębowe 160 × 200', 'Chair']
const nameOf = (index: number): string => names[index % names.length] ?? ''
export const longName =
  'Dining table, solid oak, oiled, with two drawers and an extension leaf that is stored below the table top, 240 × 100 cm, Donaudampfschifffahrtsgesellschaftskapitänskajütentischplattenverlängerung'

const lineOf = (index: number) => ({
  name: index % 17 === 3 ? longName : nameOf(index),
  sku: `SKU-${1000 + index}`,
  amount: index % 4 === 1 ? '2.125' : String(1 + (index % 12)),
  unit: index % 4 === 1 ? 'kg' : 'pcs',
})
const pricedLineOf = (index: number) => ({
  item_id: 1 + (index % 5),
  ...lineOf(index),
  price: '1234.5',
  total: `${1000 + index}.07`,
})
const sums = { subtotal: '9876.54', delivery_price: '25.00', discount: '10.04', total: '9891.50' }
const lines = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index))

export const saleToPrint = (count: number, changed: Partial<SaleFacts> = {}): SaleFacts => ({
  company: printingCompany,
  num: 'A-1007',
  is_canceled: false,
  date_placed: '2026-03-12',
  customer: { name: 'Oak & Sons Ltd', country: 'FR', vat_number: 'FR12345678901' },
  tax: null,
  billing_address: '12 Rue de la Forêt\n75001 Paris',
  delivery_address: '1 Quai du Bois\n69002 Lyon',
  ...sums,
  lines: lines(count, pricedLineOf),
  ...changed,
})

export const quoteToPrint = (count: number): QuoteFacts => {
  const { is_canceled: _canceled, ...facts } = saleToPrint(count)
  return { ...facts, num: 'Q-17', valid_until: '2026-04-11', notes: 'Delivered six weeks after the order.' }
}

export const slipToPrint = (count: number, changed: Partial<SlipFacts> = {}): SlipFacts => {
  const { bank_account: _account, bank_code: _code, bank_name: _bank, vat_number: _vat, ...company } = printingCompany
  return {
    company,
    num: 'A-1007',
    is_canceled: false,
    date_placed: '2026-03-12',
    date_shipped: '2026-03-14',
    customer: { name: 'Oak & Sons Ltd', country: 'FR', phone: '+33 1 23456789' },
    delivery_address: '1 Quai du Bois\n69002 Lyon',
    shipment: 2,
    tracking_number: '00340434161094000000',
    carrier: 'DHL',
    lines: lines(count, (index) => ({
      ...lineOf(index),
      barcode:
        [`4006381333931`, `OAK-${index}`, null, `https://oak.example/items/${index}/description`][index % 4] ?? null,
    })),
    ...changed,
  }
}

export const purchaseToPrint = (count: number): PurchaseFacts => ({
  company: printingCompany,
  num: 'P-17',
  is_canceled: false,
  date_placed: '2026-03-12',
  supplier: { name: 'Holzhandel Nord AG', country: 'CH', address: 'Seestrasse 1\n8002 Zürich' },
  storages: [{ name: 'Hauptlager', address: 'Tor 4\n10969 Berlin' }],
  ...sums,
  lines: lines(count, (index) => ({ ...pricedLineOf(index), supplier_sku: index % 3 === 0 ? `HN-${index}` : null })),
})

export const jobToPrint = (count: number, changed: Partial<JobFacts> = {}): JobFacts => ({
  company: slipToPrint(0).company,
  num: '2026-0042',
  is_canceled: false,
  date_placed: '2026-03-12',
  date_planned: '2026-03-20',
  order_num: 'A-1007',
  notes: 'Oil twice. Leave to dry for 12 hours.',
  products_storage: 'Finished goods',
  materials_storage: 'Materials, shelf 4',
  lines: lines(2, lineOf),
  uses: lines(count, (index) => ({
    ...lineOf(index),
    kind: index % 9 === 8 ? 'resource' : index % 9 === 7 ? 'product' : 'material',
  })),
  ...changed,
})

export const itemsToLabel: LabelFacts = {
  company: slipToPrint(0).company,
  items: [
    { id: 1, name: 'Oak table', sku: 'TABLE-1', barcode: '4006381333931' },
    { id: 2, name: longName, sku: 'SKU-2', barcode: null },
    { id: 3, name: 'Стол дубовый', sku: '', barcode: 'ОАК-3' },
    { id: 4, name: 'Screw', sku: '', barcode: null },
  ],
}
