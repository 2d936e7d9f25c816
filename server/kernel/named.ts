// An item referred to by id or SKU, as in components, or also by external id, as in lines, and its label in texts.

import { id, integer, nameLength, passed, text, textValue, trimmedAscii } from './field.ts'
import { withFolded } from './folded-text.ts'
import { NumberText, type Raw } from './json.ts'

/** `sku` of a filter: the SKU and its folded form; null when it is not passed. */
export function readSkuFilter(raw: Raw): readonly string[] | null {
  const sku = text(raw, 'sku', { max: nameLength, trim: true })
  return sku === undefined ? null : withFolded([sku])
}

export type Named = { readonly id: number } | { readonly sku: string }
export type NamedLine = Named | { readonly externalId: string }

/** `label` identifies the record in texts: `SKU "A-1"` or `id 7`. `undefined` when neither is passed. */
export function readNamed(raw: Raw): { readonly named: Named; readonly label: string } | undefined {
  const given = passed(raw, 'id')
  if (given !== undefined && given !== '' && integer(given) !== 0) {
    return { named: { id: id(given) }, label: `id ${shownId(given)}` }
  }
  const value = passed(raw, 'sku')
  const sku = value === undefined ? '' : textValue(value, 'sku', { max: nameLength, trim: true })
  return sku === '' ? undefined : { named: { sku }, label: `SKU "${sku}"` }
}

/** The same for a line: `external_id` is read when neither id nor SKU is passed. Its label is `external id "17"`. */
export function readNamedLine(raw: Raw): { readonly named: NamedLine; readonly label: string } | undefined {
  const named = readNamed(raw)
  const value = named === undefined ? passed(raw, 'external_id') : undefined
  if (value === undefined) return named
  const externalId = textValue(value, 'external_id', { max: nameLength, trim: true })
  return externalId === '' ? undefined : { named: { externalId }, label: `external id "${externalId}"` }
}

/** The id as it was sent, without characters that cannot be stored. */
export function shownId(value: unknown): string {
  const text =
    value instanceof NumberText ? value.text : typeof value === 'string' ? trimmedAscii(value) : JSON.stringify(value)
  return text.slice(0, nameLength).toWellFormed().replaceAll('\0', '\ufffd')
}

export const idsOf = (named: readonly NamedLine[]): number[] => named.flatMap((one) => ('id' in one ? [one.id] : []))
/** The SKUs to look up, with their folded forms. */
export const skusOf = (named: readonly NamedLine[]): string[] =>
  withFolded(named.flatMap((one) => ('sku' in one ? [one.sku] : [])))
export const externalIdsOf = (named: readonly NamedLine[]): string[] =>
  named.flatMap((one) => ('externalId' in one ? [one.externalId] : []))
