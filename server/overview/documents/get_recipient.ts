// documents/get_recipient: to whom a document is sent by mail, if nobody says otherwise.

import { z } from 'zod'
import { mailedPapers } from '../../access/mail/outbox.ts'
import { mailPolicy } from '../../access/mail/policy.ts'
import { idSchema } from '../../documents/fields.ts'
import { read } from '../../kernel/method.ts'
import { documentNotFound, namedRefusals, readNamed, recipientOf } from './mailed.ts'

export const getRecipient = read({
  path: 'documents/get_recipient',
  api: 'app',
  role: 'manager',
  summary: 'Show to whom a document would be sent by mail.',
  input: {
    schema: z.object({ document: z.enum(mailedPapers), id: idSchema.describe('Id of the sale or purchase.') }),
    read: readNamed,
  },
  output: z.object({
    email: z.string().describe('E-mail of the customer or supplier.'),
    sends_mails: z.boolean().describe('Whether this server sends mails.'),
  }),
  refusals: [...namedRefusals],
  example: {
    request: { document: 'order-confirmation', id: 1 },
    response: { success: true, email: 'ada@beech.example', sends_mails: true },
  },
  query: (input, context) => recipientOf(input, context),
  response: ([row]) => ({ email: (row ?? documentNotFound()).email, sends_mails: mailPolicy() !== undefined }),
})
