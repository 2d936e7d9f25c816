// Dry runs: the header of the public API that asks for one, and the responses of the public API and of the previews in the screens.

import { JsonText, type RecordEvent, type ResponseFields } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { responseText } from './response-text.ts'

export function isDryRun(header: string | undefined): boolean {
  if (header === undefined || header === 'false' || header === '0') return false
  if (header === 'true' || header === '1') return true
  return refuse('Invalid Kontor-Dry-Run. Must be true or false', { code: 'dry_run_invalid' })
}

/**
 * What the method would have returned, and the effects: levels of stock before and after, and the records that would have been created.
 * `recordNames` are the names of the records in the API. Without `stock` the caller may not see levels.
 */
export function dryRunText(
  recordNames: Readonly<Record<string, string>>,
  stock: string | undefined,
  fields: ResponseFields,
  created: readonly RecordEvent[],
): string {
  const shown = created.map(({ record, recordId }) => ({ record: recordNames[record], id: recordId }))
  const levels = stock === undefined ? '' : `"stock":${stock},`
  const effects = new JsonText(`{${levels}"created":${JSON.stringify(shown)}}`)
  return responseText({ ...fields, dry_run: true, effects })
}

/** The response to a preview: only the effect on stock, as a list. */
export const previewText = (effect: string | undefined): string =>
  responseText({ effect: new JsonText(effect ?? '[]') })
