// The daily mail about items below their minimum: who wants it. A user gets it at most once a day of the company.

import { type Statement, statement } from '../../kernel/statement.ts'

type OfUser = { readonly company_id: number; readonly user_id: number }

export const findShortagesDaily = statement<{ shortages_daily: boolean }, OfUser>(
  'users.find_shortages_daily',
  'select shortages_daily from users where company_id = :company_id and id = :user_id',
)
const set = statement<never, OfUser & { shortages_daily: boolean }>(
  'users.set_shortages_daily',
  'update users set shortages_daily = :shortages_daily where company_id = :company_id and id = :user_id',
)
const noteCompany = statement<never, { company_id: number }>(
  'mails.note_shortages',
  `insert into mail_companies (company_id, has_queued, has_shortage_mails) values (:company_id, false, true)
   on conflict (company_id) do update set has_shortage_mails = true`,
)

/** The mark of the company is taken away by the next search, if no user wants the mail any more. */
export const setShortagesDaily = (user: OfUser, isWanted: boolean): Statement[] => [
  set({ ...user, shortages_daily: isWanted }),
  ...(isWanted ? [noteCompany({ company_id: user.company_id })] : []),
]
