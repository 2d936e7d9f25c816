// kontor user: invitations and passwords for users who cannot get them within the company, such as the first owner.

import { randomBytes } from 'node:crypto'
import { hashPassword } from '../access/passwords.ts'
import { setPassword } from '../access/session/change_password.ts'
import { invite } from '../access/users/invite.ts'
import { emailHash, findSignIn, type SignIn } from '../access/users.ts'
import { readConfig } from '../platform/process/config.ts'
import { runWrite } from '../platform/requests/run.ts'
import { type Command, companyOption, options, successful, systemContext, UsageError, withDatabase } from './command.ts'

const inviteUser: Command = {
  words: ['user', 'invite'],
  usage: 'user invite --company ID --email E [--role R] [--origin O]',
  summary: 'Create an invitation link for a new user',
  help: `  --company ID  the company
  --email E     email with which the user will sign in
  --role R      owner (default), manager or worker
  --origin O    the address that browsers use for the service, such as https://kontor.example; default PUBLIC_ORIGIN
  --json        print one JSON line: invitation_id, token
The link is shown only once and expires after seven days.`,
  run: async (rest) => {
    const { values } = options(rest, {
      company: { type: 'string' },
      email: { type: 'string' },
      role: { type: 'string', default: 'owner' },
      origin: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    const companyId = companyOption(values.company)
    const origin = values.origin === undefined ? readConfig(process.env).PUBLIC_ORIGIN : originOption(values.origin)
    const input = invite.input.read({ email: values.email, role: values.role })
    const { invitation_id, token } = await withDatabase(async ({ pool }) =>
      successful(await runWrite(pool, invite, input, systemContext(companyId), undefined, undefined)),
    )
    if (values.json) console.log(JSON.stringify({ invitation_id, token }))
    else {
      console.log(`Link (shown this once): ${origin ?? thisMachine()}/invitation/${token}`)
      if (origin === undefined)
        console.error(
          'kontor: this link opens on this machine only. For others, replace the part before /invitation/ by the address of the service, or set --origin or PUBLIC_ORIGIN.',
        )
    }
    return 0
  },
}

function originOption(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--origin must be an address such as https://kontor.example')
  return url.origin
}

/** Localhost, because browsers keep a secure session there without HTTPS. */
const thisMachine = (): string => `http://localhost:${readConfig(process.env).PORT}`

const resetPassword: Command = {
  words: ['user', 'password'],
  usage: 'user password --email E',
  summary: 'Set a new password for a user and end all their sessions',
  help: `  --email E  email of the user
  --json     print one JSON line: password
The password is shown only once. The user should change it after signing in.`,
  run: async (rest) => {
    const { values } = options(rest, { email: { type: 'string' }, json: { type: 'boolean', default: false } })
    const email = values.email?.trim() ?? ''
    if (email === '') throw new UsageError('--email is missing: whose password?')
    const password = randomBytes(15).toString('base64url')
    const passwordHash = await hashPassword(password)
    await withDatabase(async ({ pool }) => {
      const trip = await pool.use((connection) => connection.roundTrip([findSignIn({ email_hash: emailHash(email) })]))
      const user = trip.rows<SignIn>(0)[0]
      if (user === undefined) throw new UsageError(`no user has the email ${email}`)
      const input = { userId: user.user_id, passwordHash, sessionHash: Buffer.alloc(32) }
      successful(await runWrite(pool, setPassword, input, systemContext(user.company_id), undefined, undefined))
    })
    console.log(values.json ? JSON.stringify({ password }) : `New password (shown this once): ${password}`)
    return 0
  },
}

export const user: readonly Command[] = [inviteUser, resetPassword]
