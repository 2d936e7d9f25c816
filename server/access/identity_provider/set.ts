// identity_provider/set: users of the company can sign in at this identity provider. With another issuer, accounts are linked to users anew: what it calls an account is its own.

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { nameLength, required, text, textRefusals, textValue } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { seal } from '../second-factor/sealed-secrets.ts'
import { securityEvent } from '../security-events.ts'
import { forgetIdentities } from '../single-sign-on/identities.ts'
import { findProvider, linkText, type Provider, type ProviderFacts, providerFrom } from '../single-sign-on/provider.ts'
import { maxUrl, urlProblem } from '../webhooks/endpoint.ts'

const upsert = statement<never, Provider & { company_id: number; at: string }>(
  'identity_providers.upsert',
  `insert into identity_providers (company_id, link_key, name, issuer, client_id, client_secret, created_at)
   values (:company_id, :link_key, :name, :issuer, :client_id, :client_secret, :at)
   on conflict (company_id) do update set
     name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id, client_secret = excluded.client_secret`,
)

const invalidIssuer = 'Invalid issuer value. Must be a public https address without a user name, query or fragment'
const noSecret = 'No client_secret in input'
const maxSecret = 1_024

function readIssuer(raw: Raw): string {
  const issuer = textValue(required(raw, 'issuer'), 'issuer', { max: maxUrl, trim: true })
  return urlProblem(issuer) === undefined && !/[?#]/.test(issuer)
    ? issuer
    : refuse(invalidIssuer, { code: 'malformed', field: 'issuer' })
}

export const setIdentityProvider = write({
  path: 'identity_provider/set',
  api: 'app',
  role: 'owner',
  isForRealCompanies: true,
  needsFreshSignIn: true,
  summary: 'Let users of the company sign in at an identity provider, by OpenID Connect.',
  notes: ['The client secret may be left out when only other fields change.'],
  input: {
    schema: z.object({
      name: z.string().describe('What users know the provider by.'),
      issuer: z
        .string()
        .describe(
          'The address of the provider, an https address. Its metadata are at `/.well-known/openid-configuration` below it.',
        ),
      client_id: z.string().describe('Under which this service is registered there.'),
      client_secret: z.string().optional().describe('With which this service identifies itself there.'),
    }),
    // Values that are random are made before the plan, which must be deterministic.
    read: (raw) => ({
      name: textValue(required(raw, 'name'), 'name', { max: nameLength, trim: true }),
      issuer: readIssuer(raw),
      client_id: textValue(required(raw, 'client_id'), 'client_id', { max: nameLength, trim: true }),
      client_secret: sealed(text(raw, 'client_secret', { max: maxSecret })),
      link_key: randomBytes(16).toString('base64url'),
    }),
  },
  output: z.object({ link: z.string().describe('The last part of the address at which users begin to sign in.') }),
  refusals: [
    ...['name', 'issuer', 'client_id'].map((field) => `No ${field} in input`),
    noSecret,
    invalidIssuer,
    ...textRefusals,
  ],
  example: {
    request: {
      name: 'Oak ID',
      issuer: 'https://id.oak.example',
      client_id: 'kontor',
      client_secret: 'a secret of the provider',
    },
    response: { success: true, link: '1029384756.q8ZtXw0rT1u2v3w4x5y6zA' },
  },
  facts: (_input, { companyId }) => findProvider({ company_id: companyId }),
  plan: ({ client_secret: secret, ...input }, facts: ProviderFacts, { context: { companyId } }) => {
    const before = providerFrom(facts)
    const after: Provider = {
      ...input,
      link_key: before?.link_key ?? input.link_key,
      client_secret: secret ?? before?.client_secret ?? refuse(noSecret, { code: 'required', field: 'client_secret' }),
    }
    return { before, after, link: linkText(companyId, after.link_key) }
  },
  write: ({ before, after }, transaction) => {
    const { companyId } = transaction.context
    const { name, issuer, client_id } = after
    return {
      statements: [
        upsert({ company_id: companyId, ...after, at: transaction.at }),
        ...(before === undefined || before.issuer === issuer ? [] : [forgetIdentities({ company_id: companyId })]),
        securityEvent(transaction, 'identity_provider_set', { detail: issuer }),
      ],
      event: {
        record: 'company',
        recordId: companyId,
        change: { identity_provider: { name, issuer, client_id } },
        action: 'updated',
      },
    }
  },
  response: ({ link }) => ({ link }),
})

const sealed = (secret: string | undefined): Buffer | undefined =>
  secret === undefined || secret === '' ? undefined : seal(Buffer.from(secret))
