// Actions on a document that first show their effect on stock: changing the status, with a date where it matters, and deleting.

import { type ReactNode, useState } from 'react'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { DayField } from '../kit/day-field.tsx'
import type { IncomingVerb } from '../kit/effect-text.ts'
import { notify, runEach } from '../kit/notify.tsx'
import { type StatusSet, settableOf, statusOf } from '../kit/status.ts'
import { messages } from '../messages.ts'
import { type Input, type Path, preview } from '../server/call.ts'
import { mutate } from '../server/query.ts'

export type StatusPath = Extract<Path, `${string}/update_status`>
export type DeletePath = Extract<Path, `${string}/delete`>

export type StateChange<P extends StatusPath> = {
  /** The status table of the document. */
  readonly of: StatusSet
  readonly path: P
  /** The input that sets a status; the date is passed only when the dialog has a date field. */
  readonly inputOf: (status: number, day?: string) => Input<P>
  readonly former: number
  readonly to: number
  /** Asks for confirmation, because stock may change. */
  readonly confirm?: {
    readonly title: string
    readonly lead: string
    readonly label: string
    readonly danger?: boolean
    /** Additional information in the dialog, such as differences. */
    readonly children?: ReactNode
  }
  /** Adds a date field to the dialog, starting with this date. */
  readonly day?: { readonly label: string; readonly value: string; readonly max?: string }
  /** The notification afterwards, with a link to the record. */
  readonly done: string
  readonly link: string
}

/** Returns true when the action was carried out. */
export async function changeState<P extends StatusPath>(change: StateChange<P>): Promise<boolean> {
  const { of, path, inputOf, former, to, confirm, done, link } = change
  const isCanceled = statusOf(of, to)?.name === 'canceled'
  // A status that only the server sets cannot be restored by an undo.
  const canUndo = settableOf(of).includes(former)
  let day = change.day?.value
  if (confirm !== undefined) {
    const isConfirmed = await confirmEffect({
      path,
      input: inputOf(to, day),
      ...confirm,
      // Moving forward brings goods in; moving back returns them.
      incoming: to > former && !isCanceled ? 'adds' : 'gives',
      children: (
        <>
          {confirm.children}
          {change.day && <DayQuestion {...change.day} onChange={(chosen) => (day = chosen)} />}
        </>
      ),
    })
    if (!isConfirmed) return false
  }
  await mutate(path, inputOf(to, day || undefined))
  notify(done, { ...linkUnlessOpen(link), ...(canUndo ? { undo: () => mutate(path, inputOf(former)) } : {}) })
  return true
}

/** The link to the record, for pages that do not show it. */
export const linkUnlessOpen = (link: string): { to?: string } => (window.location.pathname === link ? {} : { to: link })

export function DayQuestion(props: { label: string; value: string; max?: string; onChange: (day: string) => void }) {
  const [value, setValue] = useState(props.value)
  return (
    <DayField
      label={props.label}
      value={value}
      {...(props.max ? { max: props.max } : {})}
      onChange={(day) => {
        setValue(day)
        props.onChange(day)
      }}
    />
  )
}

/** Returns true when it was deleted. */
export async function deleteRecord<P extends DeletePath>(question: {
  readonly path: P
  readonly input: Input<P>
  readonly title: string
  readonly lead: string
  readonly label: string
  readonly done: string
}): Promise<boolean> {
  const { path, input, done, ...confirmation } = question
  if (!(await confirmEffect({ path, input, ...confirmation, danger: true }))) return false
  await mutate(path, input)
  notify(done)
  return true
}

/** Saving a document that has already moved stock moves it again: asks only when it would. Throws when the user cancels. */
export async function confirmSaveEffect<P extends Path>(
  path: P,
  input: Input<P>,
  confirmation: { readonly title: string; readonly lead: string; readonly label: string },
): Promise<void> {
  const effect = await preview(path, input)
  if (effect.length > 0 && !(await confirmEffect({ path, input, ...confirmation, incoming: 'adds' })))
    throw new Error(messages.documents.notSaved)
}

type Confirmation = {
  readonly title: string
  readonly lead: string
  readonly label: string
  readonly danger?: boolean
  readonly incoming?: IncomingVerb
}

/** Applies the action to every selected record after showing the total effect on stock. Returns false when the user cancels. */
export async function confirmAndRunEach<P extends Path, Row>(
  rows: readonly Row[],
  path: P,
  inputOf: (row: Row) => Input<P>,
  confirmation: Confirmation,
): Promise<boolean> {
  const [input, ...more] = rows.map(inputOf)
  if (input === undefined || !(await confirmEffect({ path, input, more, ...confirmation }))) return false
  await runEach(rows, (row) => mutate(path, inputOf(row)))
  return true
}
