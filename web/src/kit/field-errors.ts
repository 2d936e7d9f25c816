// Finds the form field that an error belongs to, so that the message is shown at that field.

import { Refusal } from '../server/call.ts'

/** Fields that a form shows under another name. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  customer_name: ['customer_id'],
  supplier_name: ['supplier_id'],
  supplier_id: ['suppliers'],
  new_password: ['password'],
  storage_id: ['products_storage_id'],
}

/** The field among `fields` that an error is about; undefined when it is about none of them. */
export function fieldOf(error: unknown, fields: readonly string[]): string | undefined {
  const { field } = error instanceof Refusal ? error : {}
  if (field === undefined) return undefined
  return [field, ...(elsewhere[field] ?? [])].find((one) => fields.includes(one))
}

type Kind = { readonly type: string }

/** The position among `lines` of the line that an error is about; -1 when it is about none. */
export function lineOf(
  error: unknown,
  lines: readonly Kind[],
  /** Whether a line is sent in this array. */
  isIn: (line: Kind, array: string) => boolean = (line, array) => array === `${line.type}s`,
): number {
  const { field, line } = error instanceof Refusal ? error : {}
  if (field === undefined || line === undefined) return -1
  const positions = lines.flatMap((one, at) => (isIn(one, field) ? [at] : []))
  return positions[line] ?? -1
}
