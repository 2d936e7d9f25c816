// Users of a company: the format of an email, the companies it signs in to, and the SQL shared by all methods about users.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { nameLength, required, text, textValue } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { type Role, roles } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { inCompany } from './in-company.ts'

/** Sign-in ignores letter case. */
export const emailHash = (email: string): Buffer => createHash('sha256').update(email.toLowerCase()).digest()

export function readEmail(raw: Raw): string {
  const email = textValue(required(raw, 'email'), 'email', { max: nameLength, trim: true })
  return /^[^\s@]+@[^\s@]+$/.test(email)
    ? email
    : refuse('Invalid email value. Must be an email address', { code: 'not_an_email', field: 'email' })
}

export function readName(raw: Raw, field = 'name'): string {
  return textValue(required(raw, field), field, { max: nameLength, trim: true })
}

export function readRole(raw: Raw): Role | undefined {
  const value = text(raw, 'role', { max: nameLength })
  if (value === undefined) return undefined
  return roles.find((role) => role === value) ?? refuse(roleRefusal, { code: 'not_a_choice', field: 'role' })
}

export const roleRefusal = 'Invalid role value. Must be one of: worker, manager, owner'
export const emailRefusals: readonly string[] = ['No email in input', 'Invalid email value. Must be an email address']

export const roleSchema = z.enum(roles)

export const emailTaken = 'Email is already in use'

export const insertUser = statement<
  never,
  {
    company_id: number
    user_id: number
    name: string
    email: string
    role: Role
    password_hash: string
    created_at: string
  }
>(
  'users.insert',
  `insert into users (company_id, id, name, email, role, password_hash, created_at) values (:company_id, :user_id, :name, :email, :role, :password_hash, :created_at)`,
)

type OwnSignIn = { readonly company_id: number; readonly email_hash: Buffer; readonly user_id: number }
// Another company may have the address there already, or insert it at the same moment.
const insertSignIn = statement<never, OwnSignIn>(
  'sign_ins.insert',
  'insert into sign_ins (company_id, email_hash, user_id) values (:company_id, :email_hash, :user_id) on conflict (email_hash) do nothing',
)
const insertFurther = statement<never, OwnSignIn>(
  'further_sign_ins.insert',
  `insert into further_sign_ins (company_id, email_hash, user_id)
   select :company_id::bigint, :email_hash::bytea, :user_id::bigint
   where not exists (select from sign_ins s where s.company_id = :company_id and s.email_hash = :email_hash and s.user_id = :user_id)`,
)
/** The address signs in to this company from now on. The caller has checked that no other user of the company has it. */
export const insertSignIns = (signIn: OwnSignIn): Statement[] => [insertSignIn(signIn), insertFurther(signIn)]
/** The language in which the user gets mails. */
export const setLanguage = statement<never, { company_id: number; user_id: number; language: string }>(
  'users.set_language',
  'update users set language = :language where company_id = :company_id and id = :user_id',
)
const deleteSignIn = statement<never, { company_id: number; user_id: number }>(
  'sign_ins.delete',
  'delete from sign_ins where company_id = :company_id and user_id = :user_id',
)
const deleteFurther = statement<never, { company_id: number; user_id: number }>(
  'further_sign_ins.delete',
  'delete from further_sign_ins where company_id = :company_id and user_id = :user_id',
)
export const deleteSignIns = (user: { readonly company_id: number; readonly user_id: number }): Statement[] => [
  deleteSignIn(user),
  deleteFurther(user),
]

/** Companies that one address can belong to: the work of a sign-in has a limit. */
export const maxCompanies = 20

/** SQL: companies and users of the address `:email_hash`, in the order of the companies. There are more than the most if several joined at the same moment. */
export const usersOfAddress = `select s.company_id, s.user_id from sign_ins s where s.email_hash = :email_hash
   union all select f.company_id, f.user_id from further_sign_ins f where f.email_hash = :email_hash
   order by company_id limit ${2 * maxCompanies}`

/** SQL: a user of the company signs in with the address. */
export const isUser = `(exists (select from sign_ins s where s.company_id = :company_id and s.email_hash = :email_hash)
     or exists (select from further_sign_ins f where f.company_id = :company_id and f.email_hash = :email_hash))`

export type SignIn = { readonly company_id: number; readonly user_id: number }
export const findSignIns = statement<SignIn, { email_hash: Buffer }>('sign_ins.find', usersOfAddress)

export const tooManyCompanies = `This email is used in too many companies. Must be at most ${maxCompanies}`

export const updatePassword = statement<never, { company_id: number; user_id: number; password_hash: string }>(
  'users.update_password',
  'update users set password_hash = :password_hash where company_id = :company_id and id = :user_id',
)

type Account = {
  readonly password_hash: string
  readonly name: string
  readonly email: string
  readonly company: string
}
const findAccount = statement<Account, { company_id: number; user_id: number }>(
  'users.find_account',
  `select u.password_hash, u.name, u.email, c.name as company from users u join companies c on c.company_id = :company_id
   where u.company_id = :company_id and u.id = :user_id and u.deleted_at is null`,
)

export async function accountOf(pool: Pool, user: SignIn): Promise<Account | undefined> {
  const trip = await inCompany(pool, user.company_id, findAccount(user))
  if (trip.error !== undefined) throw trip.error
  return trip.rows<Account>(1)[0]
}

export const userIdSchema = z.union([z.int(), z.string()]).describe('Id of the user.')
export const userMissing = 'User not found'
export const needsOwner = 'The company needs an owner'

export type UserFacts = {
  readonly user: { readonly name: string; readonly role: Role } | null
  readonly other_owners: number
}
export const userFacts = statement<UserFacts, { company_id: number; user_id: number }>(
  'users.facts',
  `select
     (select json_build_object('name', u.name, 'role', u.role) from users u
       where u.company_id = :company_id and u.id = :user_id and u.deleted_at is null) as user,
     (select count(*) from users o where o.company_id = :company_id and o.id <> :user_id and o.role = 'owner' and o.deleted_at is null) as other_owners`,
)
