// The names of fields in the user's language. Templates and complete exports have them as headings.

import type { Catalog } from '../messages/catalog.ts'
import { messages } from '../messages.ts'
import type { Choice, FieldName } from './fields.ts'

export function labelOf(choice: Choice, name: FieldName, { imports, catalog, contacts }: Catalog = messages): string {
  if (choice === 'components' && name === 'sku') return imports.fields.productSku
  if (name === 'unit') return catalog.column.unit
  if (name === 'price') return choice === 'materials' ? catalog.kinds.material.price : catalog.kinds.product.price
  const isContact = choice === 'customers' || choice === 'suppliers'
  const own: Readonly<Record<string, string>> = isContact ? contacts.field : { ...catalog.field, ...imports.fields }
  return own[name] ?? name
}
