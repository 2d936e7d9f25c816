// session/confirm_sign_up: the holder of the link in a mail creates the company that they signed up, and is signed in.

import { z } from 'zod'
import { refuse } from '../../kernel/refusal.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { countAttempt, linkLimits, tooMany } from '../attempts.ts'
import { startBrowserSession } from '../browser-session.ts'
import { createCompany } from '../companies.ts'
import { linkRefusals, readLink } from '../mail/links.ts'
import { loadPendingSignUp } from '../pending-sign-ups.ts'
import { tooManyCompanies } from '../users.ts'

export const confirmSignUp = sessionMethod({
  path: 'session/confirm_sign_up',
  summary: 'Confirm the address of a sign-up with the link of a mail: the company is created.',
  needsSession: false,
  input: { schema: z.object({ token: z.string() }), read: (raw) => ({ link: readLink(raw) }) },
  output: z.object({}),
  refusals: ['Sign-up is closed', ...linkRefusals, tooManyCompanies, tooMany],
  example: { request: { token: '1029384756.9c1…' }, response: { success: true } },
  run: async ({ link }, { address, agent }, { pool, signUp }) => {
    if (!signUp.isOpen) refuse('Sign-up is closed', { code: 'sign_up_closed' })
    await countAttempt(pool, linkLimits(address))
    const { company, name, email, timezone, language, password_hash } = await loadPendingSignUp(pool, link)
    await createCompany(pool, company, timezone, {
      owner: { name, email, passwordHash: password_hash },
      language: language ?? undefined,
      showsFirstSteps: true,
      pendingId: link.companyId,
    })
    return { response: {}, ...(await startBrowserSession(pool, link.companyId, 1, { address, agent })) }
  },
})
