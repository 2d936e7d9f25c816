// Actions on an audit: completing, reopening, canceling, deleting. Completing first shows the differences.

import type { ReactNode } from 'react'
import { changeState, deleteRecord } from '../documents/actions.tsx'
import { settableOf } from '../kit/status.ts'
import { messages } from '../messages.ts'
import { auditStatus } from '../statuses.ts'

const texts = messages.audits

type Audit = { readonly id: number; readonly num: string; readonly status: number }

export const auditStates = settableOf('audit')
type State = keyof typeof texts.asks
export const { counting, completed, canceled } = auditStatus

export const setAuditState = (audit: Audit, to: number, differences?: ReactNode): Promise<boolean> => {
  const { id, num, status } = audit
  const needsConfirmation = to === completed || status === completed || to === canceled
  return changeState({
    of: 'audit',
    path: 'audits/update_status',
    inputOf: (state) => ({ audit_id: id, status: state }),
    former: status,
    to,
    ...(needsConfirmation
      ? { confirm: { ...texts.asks[to as State](num), ...(differences ? { children: differences } : {}) } }
      : {}),
    done: texts.done[to as State](num),
    link: `/audits/${id}`,
  })
}

export const removeAudit = ({ id, num }: Audit): Promise<boolean> =>
  deleteRecord({ path: 'audits/delete', input: { audit_id: id }, ...texts.deleting(num), done: texts.deleted(num) })
