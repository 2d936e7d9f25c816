// session/get_options: what a browser without a session can do on this server, and how users sign in to it.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { mailPolicy } from '../mail/policy.ts'
import { passkeyPolicy } from '../second-factor/passkey-policy.ts'

export const getOptions = sessionMethod({
  path: 'session/get_options',
  summary: 'Read what can be done without a session.',
  needsSession: false,
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    is_sign_up_open: z.boolean().describe('Whether companies can be signed up without an invitation.'),
    sends_mails: z.boolean().describe('Whether this server sends mails, so that a forgotten password can be set anew.'),
    passkeys: z.boolean().describe('Whether users can sign in with passkeys.'),
  }),
  refusals: [],
  example: { request: {}, response: { success: true, is_sign_up_open: true, sends_mails: false, passkeys: true } },
  run: async (_input, _visitor, { signUp }) => ({
    response: {
      is_sign_up_open: signUp.isOpen,
      sends_mails: mailPolicy() !== undefined,
      passkeys: passkeyPolicy() !== undefined,
    },
  }),
})
