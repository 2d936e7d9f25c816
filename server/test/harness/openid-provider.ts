// A real identity provider, run by the tests in a process of its own: OPENID_PORT, OPENID_RETURN. Everybody may sign in, as the account whose email they enter.

import Provider from 'oidc-provider'

const port = Number(process.env['OPENID_PORT'])
const issuer = `http://127.0.0.1:${port}`

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'kontor',
      client_secret: 'a secret of the provider',
      redirect_uris: [process.env['OPENID_RETURN'] ?? ''],
    },
  ],
  pkce: { required: () => true },
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  cookies: { keys: ['only for tests'] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') }),
  }),
})
provider.listen(port, '127.0.0.1', () => console.log('listening'))
