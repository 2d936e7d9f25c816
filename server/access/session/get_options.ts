// session/get_options: what the page for signing in offers on this server.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { passkeyPolicy } from '../second-factor/passkey-policy.ts'

export const getOptions = sessionMethod({
  path: 'session/get_options',
  summary: 'Read how users can sign in to this server.',
  needsSession: false,
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({ passkeys: z.boolean().describe('Whether users can sign in with passkeys.') }),
  refusals: [],
  example: { request: {}, response: { success: true, passkeys: true } },
  run: async () => ({ response: { passkeys: passkeyPolicy() !== undefined } }),
})
