// What can be done with an audit: completed, opened again, canceled, deleted. Completing tells the differences first, with their numbers.

import type { ReactNode } from 'react'
import { changeState, deleteRecord } from '../documents/acts.tsx'
import { words } from '../words.ts'

const said = words.audits

type Audit = { readonly id: number; readonly num: string; readonly status: number }

export const auditStates = [0, 3, 4] as const
type State = (typeof auditStates)[number]
export const completed = 3

export const setAuditState = (audit: Audit, to: number, told?: ReactNode): Promise<boolean> => {
  const { id, num, status } = audit
  const isAsked = to === completed || status === completed || to === 4
  return changeState({
    path: 'audits/update_status',
    inputOf: (state) => ({ audit_id: id, status: state }),
    former: status,
    to,
    ...(isAsked ? { ask: { ...said.asks[to as State](num), ...(told ? { children: told } : {}) } } : {}),
    done: said.done[to as State](num),
    link: `/audits/${id}`,
  })
}

export const removeAudit = ({ id, num }: Audit): Promise<boolean> =>
  deleteRecord({ path: 'audits/delete', input: { audit_id: id }, ...said.deleting(num), done: said.deleted(num) })
