// The storage locations and units of measure that a company starts with, in its language.

import { z } from 'zod'
import { nameLength, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'

export const companyLanguages = ['en', 'de', 'ru'] as const
/** The language in which the first records of a company are named. */
export type CompanyLanguage = (typeof companyLanguages)[number]

export const languageRefusal = `Invalid language value. Must be one of: ${companyLanguages.join(', ')}`

export const companyLanguage = (value: string): CompanyLanguage =>
  companyLanguages.find((one) => one === value) ?? refuse(languageRefusal, { code: 'not_a_choice', field: 'language' })

export const readLanguage = (raw: Raw): CompanyLanguage | undefined => {
  const language = text(raw, 'language', { max: nameLength, trim: true })
  return language === undefined ? undefined : companyLanguage(language)
}

export const languageSchema = z.string().optional()

export type FirstUnit = { readonly name: string; readonly full_name: string }
export type FirstRecords = {
  readonly products_storage: string
  readonly materials_storage: string
  /** The first is the unit of an item that names none. */
  readonly units: readonly FirstUnit[]
}

const unitsOf = (pairs: Readonly<Record<string, string>>): FirstUnit[] =>
  Object.entries(pairs).map(([name, full_name]) => ({ name, full_name }))

/** A company that was created without a language. */
export const plainRecords: FirstRecords = {
  products_storage: 'Finished goods',
  materials_storage: 'Materials',
  units: [{ name: 'pcs', full_name: 'pieces' }],
}

export const firstRecords: Readonly<Record<CompanyLanguage, FirstRecords>> = {
  en: {
    ...plainRecords,
    units: unitsOf({
      pcs: 'pieces',
      pair: 'pairs',
      set: 'sets',
      pack: 'packs',
      m: 'metres',
      'm²': 'square metres',
      'm³': 'cubic metres',
      kg: 'kilograms',
      g: 'grams',
      l: 'litres',
      h: 'hours',
      min: 'minutes',
    }),
  },
  de: {
    products_storage: 'Fertigwaren',
    materials_storage: 'Materialien',
    units: unitsOf({
      'Stk.': 'Stück',
      Paar: 'Paar',
      Satz: 'Satz',
      'Pkg.': 'Packung',
      m: 'Meter',
      'm²': 'Quadratmeter',
      'm³': 'Kubikmeter',
      kg: 'Kilogramm',
      g: 'Gramm',
      l: 'Liter',
      h: 'Stunde',
      min: 'Minute',
    }),
  },
  ru: {
    products_storage: 'Готовая продукция',
    materials_storage: 'Материалы',
    units: unitsOf({
      шт: 'штука',
      пара: 'пара',
      компл: 'комплект',
      упак: 'упаковка',
      м: 'метр',
      'м²': 'квадратный метр',
      'м³': 'кубический метр',
      кг: 'килограмм',
      г: 'грамм',
      л: 'литр',
      ч: 'час',
      мин: 'минута',
    }),
  },
}
