// Users of a company: how an email is written, where it signs in, and the SQL that every method about users shares.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { nameLength, required, text, textValue } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { type Role, roles } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/database.ts'
import { sqlState } from '../platform/faults.ts'

/** Signing in does not look at the case of letters. */
export const emailHash = (email: string): Buffer => createHash('sha256').update(email.toLowerCase()).digest()

export function readEmail(raw: Raw): string {
  const email = textValue(required(raw, 'email'), 'email', { max: nameLength, trim: true })
  return /^[^\s@]+@[^\s@]+$/.test(email) ? email : refuse('Invalid email value. Must be an email address')
}

export function readName(raw: Raw, field = 'name'): string {
  return textValue(required(raw, field), field, { max: nameLength, trim: true })
}

export function readRole(raw: Raw): Role | undefined {
  const given = text(raw, 'role', { max: nameLength })
  if (given === undefined) return undefined
  return roles.find((role) => role === given) ?? refuse(roleRefusal)
}

export const roleRefusal = 'Invalid role value. Must be one of: worker, manager, owner'
export const emailRefusals: readonly string[] = ['No email in input', 'Invalid email value. Must be an email address']

export const roleWire = z.enum(roles)

export const emailTaken = 'Email is already in use'

/** Two companies may take the same email at the same moment; the database lets one of them. */
export const isEmailTaken = (error: unknown): boolean =>
  sqlState(error) === '23505' && String((error as { constraint?: unknown }).constraint).startsWith('sign_ins_pkey')

export const insertUser = statement(
  'users.insert',
  `insert into users (company_id, id, name, email, role, password_hash, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
)
export const insertSignIn = statement(
  'sign_ins.insert',
  'insert into sign_ins (company_id, email_hash, user_id) values ($1, $2, $3)',
)
export const deleteSignIn = statement('sign_ins.delete', 'delete from sign_ins where company_id = $1 and user_id = $2')

export type SignIn = { readonly company_id: number; readonly user_id: number }
export const findSignIn = statement<SignIn>(
  'sign_ins.find',
  'select company_id, user_id from sign_ins where email_hash = $1',
)

export const findPassword = statement<{ password_hash: string }>(
  'users.find_password',
  'select password_hash from users where company_id = $1 and id = $2 and deleted_at is null',
)

export async function passwordOf(pool: Pool, user: SignIn): Promise<string | undefined> {
  const flown = await pool.use((connection) =>
    connection.flight([
      `begin; set local app.company_id = '${user.company_id}'`,
      findPassword(user.company_id, user.user_id),
      'commit',
    ]),
  )
  return flown.rows<{ password_hash: string }>(1)[0]?.password_hash
}

export const userIdWire = z.union([z.int(), z.string()]).describe('Id of the user.')
export const userMissing = 'User not found'
export const needsOwner = 'The company needs an owner'

export type UserFacts = {
  readonly user: { readonly name: string; readonly role: Role } | null
  readonly other_owners: number
}
export const userFacts = statement<UserFacts>(
  'users.facts',
  `select
     (select json_build_object('name', u.name, 'role', u.role) from users u
       where u.company_id = $1 and u.id = $2 and u.deleted_at is null) as user,
     (select count(*) from users o where o.company_id = $1 and o.id <> $2 and o.role = 'owner' and o.deleted_at is null) as other_owners`,
)
