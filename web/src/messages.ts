// The texts of the screens, in the user's language. Another language is another set of files in `messages/`.

import { type Language, language } from './language.ts'
import type { Catalog } from './messages/catalog.ts'
import { messages as english } from './messages/en.ts'

/** Loaded only if it is the user's language. */
const others: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ messages: Catalog }>>> = {
  de: () => import('./messages/de.ts'),
  ru: () => import('./messages/ru.ts'),
}

export let messages: Catalog = english

/** Before any screen is loaded, because screens read their texts once. Returns the language of the texts. */
export async function loadMessages(): Promise<Language> {
  if (language === 'en') return 'en'
  try {
    messages = (await others[language]()).messages
    return language
  } catch {
    // English screens are better than none.
    return 'en'
  }
}

/** The texts in a language that may be another than that of the user. */
export const catalogOf = async (wanted: Language): Promise<Catalog> =>
  wanted === 'en' ? english : (await others[wanted]()).messages
