// second_factors/add_authenticator: a new secret for an authenticator app. It counts after a code of the app was entered.

import { z } from 'zod'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { now } from '../../platform/process/now.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { inCompany } from '../in-company.ts'
import { seal, unseal } from '../second-factor/sealed-secrets.ts'
import { type Authenticator, findAuthenticator, valuesOf } from '../second-factor/store.ts'
import { newTotpSecret, totpAddress, totpSecretText } from '../second-factor/totp.ts'

const already = 'The authenticator app is set up already'

// A secret that was not confirmed is replaced: the user has begun again.
const insert = statement<never, { company_id: number; user_id: number; secret: Buffer; at: string }>(
  'authenticators.insert',
  `insert into authenticators (company_id, user_id, secret, created_at) values (:company_id, :user_id, :secret, :at)
   on conflict (company_id, user_id) do update set secret = excluded.secret, created_at = excluded.created_at
   where authenticators.confirmed_at is null`,
)

export const addAuthenticator = sessionMethod({
  path: 'second_factors/add_authenticator',
  needsSession: true,
  isForSettingUp: true,
  needsFreshSignIn: true,
  showsSecret: true,
  summary: 'Begin to set up an authenticator app as your second factor.',
  notes: ['It counts after a code of the app was sent to second_factors/confirm_authenticator.'],
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    secret: z.string().describe('To type into the app. Shown only once.'),
    address: z.string().describe('The content of the QR code.'),
  }),
  refusals: [already],
  example: {
    request: {},
    response: {
      success: true,
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      address: 'otpauth://totp/Kontor:ada%40oak.example%20(Oak)?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    },
  },
  run: async (_input, { session }, { pool }) => {
    if (session === undefined) throw new Error('second_factors/add_authenticator requires a session')
    const values = valuesOf(session)
    const trip = await inCompany(
      pool,
      session.companyId,
      insert({ ...values, secret: seal(newTotpSecret()), at: now() }),
      findAuthenticator(values),
    )
    const made = trip.rows<Authenticator>(2)[0]
    if (made === undefined || made.secret === null || made.is_confirmed)
      return refuse(already, { code: 'second_factor_exists' })
    const secret = unseal(made.secret)
    // The app lists it by this name: an address may have one in each of its companies.
    const label = `${made.email} (${made.company})`
    return { response: { secret: totpSecretText(secret), address: totpAddress(secret, label) } }
  },
})
