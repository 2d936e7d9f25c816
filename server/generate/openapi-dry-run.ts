// Dry runs in the OpenAPI document: the header, and the fields that it adds to a successful response.

import type { JsonSchema } from './json-schema.ts'

/** The parameter of every method that writes. */
export const dryRun = {
  name: 'Kontor-Dry-Run',
  in: 'header',
  required: false,
  description:
    'With true, nothing is stored. The response is that of the request without this header, with the fields `dry_run` and `effects` after it. The Idempotency-Key is then ignored.',
  schema: { type: 'string', enum: ['true', '1', 'false', '0'] },
}

/** Fields of a successful response to a dry run. */
export const dryRunFields = {
  dry_run: { const: true, description: 'Present in the response to a dry run.' },
  effects: { $ref: '#/components/schemas/Effects' },
}

const beforeAndAfter = {
  type: 'array',
  description: 'Before and after.',
  items: { type: 'number' },
  minItems: 2,
  maxItems: 2,
}

export const effectsSchema: JsonSchema = {
  type: 'object',
  description: 'What a dry run would have changed.',
  properties: {
    stock: {
      type: 'array',
      description: 'The levels of stock that would change. Missing when the key may not call the section stock.',
      items: {
        type: 'object',
        properties: {
          type: { type: 'string', enum: ['product', 'material', 'resource'] },
          id: { type: 'integer', description: 'Id of the item.' },
          storage_id: { type: 'integer' },
          on_hand: beforeAndAfter,
          reserved: beforeAndAfter,
        },
        required: ['type', 'id', 'storage_id', 'on_hand', 'reserved'],
      },
    },
    created: {
      type: 'array',
      description: 'The records that would be created.',
      items: {
        type: 'object',
        properties: { record: { type: 'string' }, id: { type: 'integer' } },
        required: ['record', 'id'],
      },
    },
  },
  required: ['created'],
}
