// session/begin_single_sign_on: where a user of a company with an identity provider signs in.

import { z } from 'zod'
import { required, textRefusals, textValue } from '../../kernel/field.ts'
import { refuse } from '../../kernel/refusal.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { countAttempt, singleSignOnLimits, tooMany } from '../attempts.ts'
import { openIdOf } from '../single-sign-on/openid.ts'
import { beginSingleSignOn } from '../single-sign-on/pending.ts'
import { linkGone, loadSingleSignOnPolicy, providerOf, readLink, singleSignOnOff } from '../single-sign-on/provider.ts'
import { providerFailed, refuseProvider } from '../single-sign-on/refusals.ts'

const refuseLink = (): never => refuse(linkGone, { code: 'link_gone' })

export const beginSignOn = sessionMethod({
  path: 'session/begin_single_sign_on',
  summary: 'Begin to sign in at the identity provider of a company.',
  needsSession: false,
  input: {
    schema: z.object({
      link: z.string().describe('The last part of the address that the company gives to its users.'),
    }),
    read: (raw) => ({ link: readLink(textValue(required(raw, 'link'), 'link', { max: 100 })) ?? refuseLink() }),
  },
  output: z.object({
    name: z.string().describe('The name of the provider.'),
    url: z.string().describe('Where the user signs in.'),
    token: z.string().describe('For session/single_sign_on, within ten minutes.'),
  }),
  refusals: ['No link in input', linkGone, singleSignOnOff, providerFailed, tooMany, ...textRefusals],
  example: {
    request: { link: '1029384756.q8ZtXw0rT1u2v3w4x5y6zA' },
    response: { success: true, name: 'Oak ID', url: 'https://id.oak.example/authorize?…', token: '1029384756.9c1…' },
  },
  run: async ({ link: { companyId, key } }, { address, agent }, { pool }) => {
    loadSingleSignOnPolicy()
    await countAttempt(pool, singleSignOnLimits(address))
    const provider = await providerOf(pool, companyId)
    if (provider?.link_key !== key) return refuseLink()
    const { token, ...expected } = await beginSingleSignOn(pool, companyId)
    const url = await openIdOf()
      .begin(companyId, provider, expected)
      .catch(refuseProvider(pool, companyId, { address, agent }))
    return { response: { name: provider.name, url, token } }
  },
})
