// company/set_logo: the logo that the company prints on its documents. Checked like the pictures of records; served under an address of its own.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { notBase64, readBytes, tagOf } from '../files/bytes.ts'
import { readPicture } from '../files/file-type.ts'
import { logoFacts } from './logo.ts'

const maxBytes = 512 * 1024
const maxPixels = 1_200

const tooLarge = 'Logo is too large. Must be at most 512 kB'
const notPicture = 'Logo is not a JPEG or PNG without metadata'
const tooWide = `Logo is too large. Must be at most ${maxPixels} pixels wide and high`

/** The types that a PDF can contain. */
type LogoType = 'image/jpeg' | 'image/png'
type Logo = { readonly content: string; readonly type: LogoType; readonly tag: string }

function readLogo(raw: Raw): Logo {
  const { bytes, base64 } = readBytes(raw, 'content', maxBytes, tooLarge)
  const picture = readPicture(bytes)
  if (picture?.type !== 'image/jpeg' && picture?.type !== 'image/png')
    return refuse(notPicture, { code: 'malformed', field: 'content' })
  const { type, width, height } = picture
  if (Math.max(width, height) > maxPixels || Math.min(width, height) < 1)
    refuse(tooWide, { code: 'out_of_range', field: 'content' })
  return { content: base64, type: type as LogoType, tag: tagOf(bytes) }
}

const update = statement<never, Logo & { readonly company_id: number }>(
  'company.update_logo',
  `update companies set logo = decode(:content, 'base64'), logo_type = :type, logo_tag = :tag where company_id = :company_id`,
)

export const setLogo = write({
  path: 'company/set_logo',
  api: 'app',
  role: 'owner',
  summary: 'Set the logo of the company.',
  notes: ['A JPEG or PNG without metadata, at most 1,200 pixels wide and high and 512 kB. It replaces the former one.'],
  input: { schema: z.object({ content: z.string().describe('The picture as base64.') }), read: readLogo },
  output: z.object({ logo: z.string().describe('The last part of its address.') }),
  refusals: ['No content in input', notBase64, tooLarge, notPicture, tooWide, ...textRefusals],
  example: {
    request: {
      content: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
    },
    response: { success: true, logo: 'logo-4bWm8ZzN7pQ2xR5tY9uKcA' },
  },
  facts: (_input, { companyId }) => logoFacts({ company_id: companyId }),
  plan: (logo, { tag }) => ({ logo, former: tag }),
  write: ({ logo, former }, { context: { companyId } }) =>
    logo.tag === former
      ? undefined
      : {
          statements: [update({ company_id: companyId, ...logo })],
          event: { record: 'company', recordId: companyId, change: { logo: [former, logo.tag] } },
        },
  response: ({ logo }) => ({ logo: `logo-${logo.tag}` }),
})
