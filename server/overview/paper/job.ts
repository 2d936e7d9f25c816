// What is printed: the kinds of papers, the facts about each that the database returns, and what a request may choose. Shared with the thread that composes them.

import type { CompanyLanguage } from '../../access/first-records.ts'
import type { CodeKind } from '../../platform/paper/barcode.ts'
import type { Logo, PaperSize } from '../../platform/paper/sheet.ts'
import type { StoredTax } from '../../sales/tax.ts'
import type { LabelSheetName } from './label-sheets.ts'

export type Language = CompanyLanguage

export const paperKinds = [
  'quote',
  'order-confirmation',
  'packing-slip',
  'purchase-order',
  'job-sheet',
  'labels',
] as const
export type PaperKind = (typeof paperKinds)[number]

export type PaperOptions = {
  /** Undefined: that of the company. */
  readonly language: Language | undefined
  /** Of a packing slip. Undefined: the whole sale. */
  readonly shipment?: number | undefined
  readonly labels?: LabelOptions
}

export type LabelOptions = {
  /** How many labels of each item, by its id. */
  readonly counts: ReadonlyMap<number, number>
  readonly sheet: LabelSheetName
  /** Undefined: EAN-13 or Code 128, whichever fits. */
  readonly code: CodeKind | undefined
  /** The first position of the first sheet that is not used yet, from 1. */
  readonly first: number
}

export type PaperJob = {
  readonly kind: PaperKind
  readonly options: PaperOptions
  /** JSON text, parsed in the thread. */
  readonly facts: string
  /** Of the draft of a quote, which keeps none. */
  readonly draftTax?: StoredTax | null
  readonly logo: Logo | undefined
}

/** Decimal numbers are texts, so that no digit is lost. */
export type CompanyFacts = {
  readonly name: string
  readonly legal_name: string
  readonly address: string
  readonly country: string
  readonly email: string
  readonly phone: string
  readonly currency: string
  readonly paper_size: PaperSize | ''
  readonly document_language: Language | ''
  /** Not on what workers print. */
  readonly vat_number?: string
  readonly registration?: string
  readonly bank_name?: string
  readonly bank_account?: string
  readonly bank_code?: string
}

type Party = { readonly name: string; readonly country: string; readonly vat_number?: string }

export type LineFacts = {
  readonly name: string
  readonly sku: string
  readonly amount: string
  readonly unit: string
}
export type PricedLineFacts = LineFacts & { readonly price: string; readonly total: string }
type Sums = {
  readonly subtotal: string
  readonly delivery_price: string
  readonly discount: string
  readonly total: string
}

export type SaleFacts = Sums & {
  readonly company: CompanyFacts
  readonly num: string
  readonly is_canceled: boolean
  readonly date_placed: string
  readonly customer: Party
  /** Null when the company charged none. */
  readonly tax: StoredTax | null
  readonly billing_address: string
  readonly delivery_address: string
  readonly lines: readonly (PricedLineFacts & { readonly item_id: number })[]
}

export type QuoteFacts = Omit<SaleFacts, 'is_canceled'> & {
  readonly valid_until: string
  readonly notes: string
}

export type SlipFacts = {
  readonly company: CompanyFacts
  readonly num: string
  readonly is_canceled: boolean
  readonly date_placed: string
  readonly date_shipped: string | null
  readonly customer: Party & { readonly phone: string }
  readonly delivery_address: string
  /** Of one shipment. */
  readonly shipment: number | null
  readonly tracking_number: string
  readonly carrier: string
  readonly lines: readonly (LineFacts & { readonly barcode: string | null })[]
}

export type PurchaseFacts = Sums & {
  readonly company: CompanyFacts
  readonly num: string
  readonly is_canceled: boolean
  readonly date_placed: string
  readonly supplier: Party & { readonly address: string }
  readonly storages: readonly { readonly name: string; readonly address: string }[]
  readonly lines: readonly (PricedLineFacts & { readonly supplier_sku: string | null })[]
}

export type JobFacts = {
  readonly company: CompanyFacts
  readonly num: string
  readonly is_canceled: boolean
  readonly date_placed: string
  readonly date_planned: string | null
  readonly order_num: string | null
  readonly notes: string
  readonly products_storage: string
  readonly materials_storage: string
  readonly lines: readonly LineFacts[]
  readonly uses: readonly (LineFacts & { readonly kind: 'product' | 'material' | 'resource' })[]
}

export type LabelFacts = {
  readonly company: CompanyFacts
  readonly items: readonly {
    readonly id: number
    readonly name: string
    readonly sku: string
    readonly barcode: string | null
  }[]
}
