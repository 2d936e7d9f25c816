// A customer or supplier as a document shows it, with its current data.

import { z } from 'zod'
import { integer, text } from '../platform/postgres/json-sql.ts'
import { type ContactKind, contactFields, fieldMeaning } from './contact.ts'

export const partyJoin = ({ section, noun }: ContactKind): string =>
  `join ${section} u on u.company_id = :company_id and u.id = d.${noun}_id`

export function partyFields({
  noun,
}: ContactKind): Record<string, { sql: string; schema: z.ZodType; example: unknown }> {
  const texts = contactFields.map((field) => [
    `${noun}_${field}`,
    { sql: text(`u.${field}`), schema: z.string().describe(fieldMeaning[field]), example: '' },
  ])
  return {
    [`${noun}_id`]: { sql: integer(`d.${noun}_id`), schema: z.int().describe(`Id of the ${noun}.`), example: 1 },
    [`${noun}_name`]: {
      sql: text('u.name'),
      schema: z.string().describe(`Name of the ${noun}, as it is now (like the fields below).`),
      example: 'Oak & Sons',
    },
    ...Object.fromEntries(texts),
  }
}
