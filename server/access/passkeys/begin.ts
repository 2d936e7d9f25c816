// passkeys/begin: a challenge, and what a browser needs to make a passkey for the signed-in user.

import { z } from 'zod'
import { statement } from '../../kernel/statement.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { inCompany } from '../in-company.ts'
import { newChallenge } from '../second-factor/passkey-challenges.ts'
import { loadPasskeyPolicy, passkeysOff, userHandleOf } from '../second-factor/passkeys.ts'
import { valuesOf } from '../second-factor/store.ts'

type Known = {
  readonly email: string
  readonly name: string
  readonly company: string
  readonly credentials: readonly string[]
}
const findKnown = statement<Known, { company_id: number; user_id: number }>(
  'passkeys.known',
  `select u.email, u.name, c.name as company, (select coalesce(json_agg(encode(p.credential_id, 'base64') order by p.created_at), '[]'::json) from passkeys p
     where p.company_id = :company_id and p.user_id = u.id) as credentials
   from users u join companies c on c.company_id = :company_id where u.company_id = :company_id and u.id = :user_id`,
)

/** Of one user. */
export const maxPasskeys = 20

export const beginPasskey = sessionMethod({
  path: 'passkeys/begin',
  needsSession: true,
  isForSettingUp: true,
  needsFreshSignIn: true,
  summary: 'Begin to add a passkey.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    challenge: z.string().describe('To be signed within five minutes, once.'),
    rp_id: z.string().describe('The name of the server.'),
    user_handle: z.string().describe('Names the user, as base64url.'),
    user_name: z.string(),
    display_name: z.string(),
    credentials: z.array(z.string()).max(maxPasskeys).describe('Ids of the passkeys that the user has, as base64url.'),
  }),
  refusals: [passkeysOff],
  example: {
    request: {},
    response: {
      success: true,
      challenge: 'q8Zt…',
      rp_id: 'kontor.example',
      user_handle: 'MTAyOTM4NDc1Ni4x',
      user_name: 'ada@oak.example (Oak Workshop)',
      display_name: 'Ada Oak',
      credentials: [],
    },
  },
  run: async (_input, { session }, { pool }) => {
    if (session === undefined) throw new Error('passkeys/begin requires a session')
    const { rpId } = loadPasskeyPolicy()
    const trip = await inCompany(pool, session.companyId, findKnown(valuesOf(session)))
    const { email = '', name = '', company = '', credentials = [] } = trip.rows<Known>(1)[0] ?? {}
    return {
      response: {
        challenge: await newChallenge(pool, session),
        rp_id: rpId,
        user_handle: userHandleOf(session),
        // The browser lists passkeys by these names: an address may have one in each of its companies.
        user_name: `${email} (${company})`,
        display_name: name,
        credentials: credentials.map((one) => Buffer.from(one, 'base64').toString('base64url')),
      },
    }
  },
})
