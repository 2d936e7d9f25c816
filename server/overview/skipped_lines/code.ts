// How a request names skipped lines: by type and by the SKU, id or external id that was sent, as `skipped_lines/get_list` returns them.

import { z } from 'zod'
import { idSchema } from '../../documents/fields.ts'
import type { SkippedCode } from '../../documents/skipped-lines.ts'
import { id, isPassed, nameLength, passed, required, text, textRefusals } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { shownId } from '../../kernel/named.ts'
import { refuse } from '../../kernel/refusal.ts'

const types = ['product', 'material'] as const

const invalidType = 'Invalid type value. Must be one of: product, material'
const noCode = 'No sku, id or external_id in input'

export const codeSchema = {
  type: z.enum(types).describe('Kind of the item in the request that sent the lines.'),
  sku: z.string().optional().describe('The SKU that was sent. `sku`, `id` or `external_id` is required.'),
  id: idSchema.optional().describe('The id that was sent. It counts when several are passed.'),
  external_id: z.string().optional().describe('The external id that was sent.'),
  connection_id: idSchema
    .optional()
    .describe('With `external_id`: the API connection that sent it. Default: 0, the screens.'),
}

/** As in lines, the id counts first, then the SKU. */
export function readCode(raw: Raw): SkippedCode {
  const type = required(raw, 'type')
  const kind = types.find((one) => one === type) ?? refuse(invalidType, { code: 'not_a_choice', field: 'type' })
  const sentId = isPassed(raw, 'id') ? shownId(passed(raw, 'id')) : undefined
  const sku = text(raw, 'sku', { max: nameLength, trim: true }) ?? ''
  const externalId = text(raw, 'external_id', { max: nameLength, trim: true }) ?? ''
  const ofConnection = connectionId(raw)
  if (sentId !== undefined && sentId !== '') return { kind, namedBy: 'id', code: sentId, connectionId: 0 }
  if (sku !== '') return { kind, namedBy: 'sku', code: sku, connectionId: 0 }
  if (externalId !== '') return { kind, namedBy: 'external_id', code: externalId, connectionId: ofConnection }
  // An id of blanks is shown as an empty text.
  return { kind, namedBy: 'id', code: sentId ?? refuse(noCode, { code: 'required', field: 'sku' }), connectionId: 0 }
}

function connectionId(raw: Raw): number {
  const sent = passed(raw, 'connection_id')
  return sent === undefined ? 0 : Math.max(0, id(sent))
}

export const codeRefusals: readonly string[] = ['No type in input', invalidType, noCode, ...textRefusals]
