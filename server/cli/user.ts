// kontor user: letting somebody in whom nobody inside can let in, such as the first owner or one who forgot the password.

import { randomBytes } from 'node:crypto'
import { hashPassword } from '../access/passwords.ts'
import { setPassword } from '../access/session/change_password.ts'
import { invite } from '../access/users/invite.ts'
import { emailHash, findSignIn, type SignIn } from '../access/users.ts'
import { readConfig } from '../platform/config.ts'
import { runWrite } from '../platform/run.ts'
import { type Command, companyOption, options, successful, systemCall, UsageError, withDatabase } from './command.ts'

const inviteUser: Command = {
  words: ['user', 'invite'],
  usage: 'user invite --company ID --email E [--role R]',
  summary: 'Make a link by which somebody becomes a user',
  help: `  --company ID  the company
  --email E     what the user will sign in with
  --role R      owner (default), manager or worker
  --json        print one JSON line: invitation_id, token
The link is shown this once and ends after seven days.`,
  run: async (rest) => {
    const { values } = options(rest, {
      company: { type: 'string' },
      email: { type: 'string' },
      role: { type: 'string', default: 'owner' },
      json: { type: 'boolean', default: false },
    })
    const companyId = companyOption(values.company)
    const input = invite.input.read({ email: values.email, role: values.role })
    const { invitation_id, token } = await withDatabase(async ({ pool }) =>
      successful(await runWrite(pool, invite, input, systemCall(companyId), undefined, undefined)),
    )
    if (values.json) console.log(JSON.stringify({ invitation_id, token }))
    else console.log(`Link (shown this once): ${origin()}/invitation/${token}`)
    return 0
  },
}

function origin(): string {
  const { PUBLIC_ORIGIN, HOST, PORT } = readConfig(process.env)
  return PUBLIC_ORIGIN ?? `http://${HOST}:${PORT}`
}

const resetPassword: Command = {
  words: ['user', 'password'],
  usage: 'user password --email E',
  summary: 'Give a user a new password and end all their sessions',
  help: `  --email E  what the user signs in with
  --json     print one JSON line: password
The password is shown this once. Its user should change it after signing in.`,
  run: async (rest) => {
    const { values } = options(rest, { email: { type: 'string' }, json: { type: 'boolean', default: false } })
    const email = values.email?.trim() ?? ''
    if (email === '') throw new UsageError('--email is missing: whose password?')
    const password = randomBytes(15).toString('base64url')
    const passwordHash = await hashPassword(password)
    await withDatabase(async ({ pool }) => {
      const flown = await pool.use((connection) => connection.flight([findSignIn(emailHash(email))]))
      const user = flown.rows<SignIn>(0)[0]
      if (user === undefined) throw new UsageError(`nobody signs in with ${email}`)
      const input = { userId: user.user_id, passwordHash, sessionHash: Buffer.alloc(32) }
      successful(await runWrite(pool, setPassword, input, systemCall(user.company_id), undefined, undefined))
    })
    console.log(values.json ? JSON.stringify({ password }) : `New password (shown this once): ${password}`)
    return 0
  },
}

export const user: readonly Command[] = [inviteUser, resetPassword]
