// identity_provider/get: the identity provider at which users of the company can sign in.

import { z } from 'zod'
import { read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { singleSignOnPolicy } from '../single-sign-on/policy.ts'

type Shown = { readonly name: string; readonly issuer: string; readonly client_id: string; readonly link: string }

// Without the secret, which is never shown.
const find = statement<Shown, { readonly company_id: number }>(
  'identity_providers.show',
  `select name, issuer, client_id, company_id || '.' || link_key as link from identity_providers where company_id = :company_id`,
)

export const getIdentityProvider = read({
  path: 'identity_provider/get',
  api: 'app',
  role: 'owner',
  summary: 'Show the identity provider at which users of the company can sign in.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    return_address: z
      .string()
      .nullable()
      .describe(
        'Where the provider sends users back to; it must be entered there. Null: this server has no single sign-on.',
      ),
    provider: z
      .object({
        name: z.string(),
        issuer: z.string(),
        client_id: z.string(),
        link: z.string().describe('The last part of the address at which users begin to sign in.'),
      })
      .nullable(),
  }),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      return_address: 'https://kontor.example/sign-in/return',
      provider: {
        name: 'Oak ID',
        issuer: 'https://id.oak.example',
        client_id: 'kontor',
        link: '1029384756.q8ZtXw0rT1u2v3w4x5y6zA',
      },
    },
  },
  query: (_input, { companyId }) => find({ company_id: companyId }),
  response: ([row]) => ({
    return_address: singleSignOnPolicy()?.returnAddress ?? null,
    provider: row ?? null,
  }),
})
