// Mails to the owners of a company whose webhook was turned off, in the transaction that turns it off.

import { type Statement, statement } from '../../kernel/statement.ts'
import type { CompanyLanguage } from '../first-records.ts'
import { newMailId, noteCompany } from './outbox.ts'
import { mailPolicy } from './policy.ts'

/** More owners of a company get no mail about it. */
const maxOwners = 20

export type OwnersFacts = {
  readonly owners: readonly { readonly id: number; readonly email: string; readonly language: CompanyLanguage | null }[]
}

export const ownersOf = statement<OwnersFacts, { company_id: number }>(
  'mails.owners',
  `select coalesce(json_agg(json_build_object('id', o.id, 'email', o.email, 'language', o.language) order by o.id), '[]') as owners from (
     select u.id, u.email, u.language from users u
     where u.company_id = :company_id and u.role = 'owner' and u.deleted_at is null order by u.id limit ${maxOwners}
   ) o`,
)

type Values = {
  readonly company_id: number
  readonly mail_id: string
  readonly recipient: string
  readonly language: CompanyLanguage
  readonly user_id: number
  readonly webhook_id: number
  readonly at: string
}
const insert = statement<never, Values>(
  'mails.insert_webhook_disabled',
  `insert into mails (company_id, id, kind, recipient, language, user_id, webhook_id, created_at)
   values (:company_id, :mail_id, 'webhook_disabled', :recipient, :language, :user_id, :webhook_id, :at)`,
)

/** None if this server sends no mails. */
export const webhookMails = (
  { owners }: OwnersFacts,
  of: { readonly company_id: number; readonly webhook_id: number; readonly at: string },
): Statement[] =>
  mailPolicy() === undefined || owners.length === 0
    ? []
    : [
        ...owners.map(({ id, email, language }) =>
          insert({ ...of, mail_id: newMailId(), recipient: email, language: language ?? 'en', user_id: id }),
        ),
        noteCompany({ company_id: of.company_id }),
      ]
