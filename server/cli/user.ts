// kontor user: invitations and passwords for users who cannot get them within the company, such as the first owner, and the users of a company.

import { randomBytes } from 'node:crypto'
import { hashPassword } from '../access/passwords.ts'
import { setPassword } from '../access/session/change_password.ts'
import { deleteUser } from '../access/users/delete.ts'
import { endSessionsOfUser } from '../access/users/end_sessions.ts'
import { listUsers } from '../access/users/get_list.ts'
import { invite } from '../access/users/invite.ts'
import { resetSecondFactors } from '../access/users/reset_second_factors.ts'
import { emailHash, findSignIns, type SignIn } from '../access/users.ts'
import { hashOfEmail } from '../access/users-of-email.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { readConfig } from '../platform/process/config.ts'
import { responseText } from '../platform/requests/response-text.ts'
import { runRead } from '../platform/requests/run.ts'
import {
  type Command,
  companyOption,
  options,
  printable,
  systemContext,
  UsageError,
  withDatabase,
  writeAsOperator,
} from './command.ts'

/** Each company of an address has a user of its own. */
const whichUser = { email: { type: 'string' }, company: { type: 'string' } } as const
const whichUserHelp = `  --email E     email of the user
  --company ID  the company, if the email belongs to users of several
`

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
      writeAsOperator(pool, invite, input, companyId),
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
  usage: 'user password --email E [--company ID]',
  summary: 'Set a new password for a user and end all their sessions',
  help: `${whichUserHelp}  --json        print one JSON line: password
The password is shown only once. The user should change it after signing in.`,
  run: async (rest) => {
    const { values } = options(rest, { ...whichUser, json: { type: 'boolean', default: false } })
    const password = randomBytes(15).toString('base64url')
    await withDatabase(async ({ pool }) => {
      const user = await loadSignIn(pool, values)
      const passwordHash = await hashPassword(password, '', await hashOfEmail(pool, values.email?.trim() ?? ''))
      const input = { userId: user.user_id, passwordHash, sessionHash: Buffer.alloc(32) }
      await writeAsOperator(pool, setPassword, input, user.company_id)
    })
    console.log(values.json ? JSON.stringify({ password }) : `New password (shown this once): ${password}`)
    return 0
  },
}

const listCommand: Command = {
  words: ['user', 'list'],
  usage: 'user list --company ID [--json]',
  summary: 'Show the users of a company and its open invitations',
  help: `  --company ID  the company
  --json        print one JSON line: users, invitations`,
  run: async (rest) => {
    const { values } = options(rest, { company: { type: 'string' }, json: { type: 'boolean', default: false } })
    const companyId = companyOption(values.company)
    const { users, invitations } = await withDatabase(async ({ pool }) => {
      const response = await runRead(pool, listUsers, {}, systemContext(companyId), undefined)
      return JSON.parse(responseText(response)) as { users: ListedUser[]; invitations: ListedInvitation[] }
    })
    if (values.json) console.log(JSON.stringify({ users, invitations }))
    else {
      for (const { id, name, email, role, last_seen_at: seenAt } of users)
        console.log(
          `${id}  ${printable(name)} <${printable(email)}>, ${role}, ${seenAt === null ? 'never seen' : `last seen ${seenAt}`}`,
        )
      for (const { email, role, expires_at: expiresAt } of invitations)
        console.log(`invited: ${printable(email)}, ${role}, until ${expiresAt}`)
    }
    const isEmpty = users.length + invitations.length === 0
    if (isEmpty) console.error(`kontor: company ${companyId} has no users, or does not exist`)
    return isEmpty ? 1 : 0
  },
}

type ListedUser = { id: number; name: string; email: string; role: string; last_seen_at: string | null }
type ListedInvitation = { email: string; role: string; expires_at: string }

const endCommand: Command = {
  words: ['user', 'end'],
  usage: 'user end --email E [--company ID] [--remove]',
  summary: 'End all sessions of a user, or remove the user from the company',
  help: `${whichUserHelp}  --remove      also remove the user: the email can no longer sign in. The last owner of a company cannot be removed
Takes effect with the next request of the user. The name of a removed user stays in the history: "user erase" removes it.`,
  run: async (rest) => {
    const { values } = options(rest, { ...whichUser, remove: { type: 'boolean', default: false } })
    await withDatabase(async ({ pool }) => {
      const user = await loadSignIn(pool, values)
      const input = { id: user.user_id }
      if (values.remove) await writeAsOperator(pool, deleteUser, input, user.company_id)
      else await writeAsOperator(pool, endSessionsOfUser, input, user.company_id)
    })
    console.log(values.remove ? 'The user is removed, and all sessions are ended.' : 'All sessions are ended.')
    return 0
  },
}

const resetCommand: Command = {
  words: ['user', 'reset-second-factors'],
  usage: 'user reset-second-factors --email E [--company ID]',
  summary: 'Remove all second factors of a user who has lost them',
  help: `${whichUserHelp}The user then signs in with the password alone, and can set up new second factors. Owners can do the same for the users of their company.`,
  run: async (rest) => {
    const { values } = options(rest, whichUser)
    await withDatabase(async ({ pool }) => {
      const user = await loadSignIn(pool, values)
      await writeAsOperator(pool, resetSecondFactors, { id: user.user_id }, user.company_id)
    })
    console.log('The second factors are removed.')
    return 0
  },
}

async function loadSignIn(pool: Pool, given: { readonly email?: string; readonly company?: string }): Promise<SignIn> {
  const email = given.email?.trim() ?? ''
  if (email === '') throw new UsageError('--email is missing: which user?')
  const company = given.company === undefined ? undefined : companyOption(given.company)
  const trip = await pool.use((connection) => connection.roundTrip([findSignIns({ email_hash: emailHash(email) })]))
  if (trip.error !== undefined) throw trip.error
  const found = trip.rows<SignIn>(0).filter((one) => company === undefined || one.company_id === company)
  const [first, second] = found
  if (second !== undefined)
    fail(
      `${email} is a user of the companies ${found.map((one) => one.company_id).join(', ')}: choose one with --company`,
    )
  return first ?? fail(`no user has the email ${email}${company === undefined ? '' : ` in company ${company}`}`)
}

function fail(message: string): never {
  throw new UsageError(message)
}

export const user: readonly Command[] = [inviteUser, resetPassword, resetCommand, listCommand, endCommand]
