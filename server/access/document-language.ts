// The language of what a company sends to its customers and suppliers.

import type { CompanyLanguage } from './first-records.ts'

export const germanSpeaking: readonly string[] = ['DE', 'AT', 'CH', 'LI', 'LU']
const russianSpeaking: readonly string[] = ['RU', 'BY', 'KZ', 'KG']

/** The one that is set, or that of the country. */
export type DocumentLanguageFacts = { readonly document_language: '' | CompanyLanguage; readonly country: string }

export function documentLanguage({ document_language: chosen, country }: DocumentLanguageFacts): CompanyLanguage {
  if (chosen !== '') return chosen
  if (germanSpeaking.includes(country)) return 'de'
  return russianSpeaking.includes(country) ? 'ru' : 'en'
}
