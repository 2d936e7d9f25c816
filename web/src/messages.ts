// The texts of the screens, in the user's language. Another language is another set of files in `messages/`.

import { language } from './language.ts'
import type { Catalog } from './messages/catalog.ts'
import { messages as english } from './messages/en.ts'

/** Loaded only if it is the user's language. */
const others: Readonly<Record<string, () => Promise<{ messages: Catalog }>>> = {}

export let messages: Catalog = english

/** Before any screen is loaded, because screens read their texts once. */
export async function loadMessages(): Promise<void> {
  const load = others[language]
  if (load !== undefined) messages = (await load()).messages
}
