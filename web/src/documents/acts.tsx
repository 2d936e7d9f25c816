// Acts on a document that say first what they do to stock: another state, asking for the day where it matters, and deleting.

import { type ReactNode, useState } from 'react'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { DayField } from '../kit/day-field.tsx'
import type { Comes } from '../kit/effect-words.ts'
import { runEach, told } from '../kit/told.tsx'
import { type Input, type Path, preview } from '../server/call.ts'
import { act } from '../server/query.ts'
import { words } from '../words.ts'

export type StatusPath = Extract<Path, `${string}/update_status`>
export type DeletePath = Extract<Path, `${string}/delete`>

export type StateChange<P extends StatusPath> = {
  readonly path: P
  /** The call that sets a state; the day only where one was asked for. */
  readonly inputOf: (status: number, day?: string) => Input<P>
  readonly former: number
  readonly to: number
  /** Asks before: with it stock may change. */
  readonly ask?: {
    readonly title: string
    readonly lead: string
    readonly label: string
    readonly danger?: boolean
    /** More to know before, such as what differs. */
    readonly children?: ReactNode
  }
  /** Asks for the day of the effect, starting from the given one. */
  readonly day?: { readonly label: string; readonly value: string; readonly max?: string }
  /** What is told after it, and where it can be seen. */
  readonly done: string
  readonly link: string
}

/** States that arise by themselves cannot be set, and so not be gone back to. */
const inParts = 2
const canceled = 4

/** True when it was done. */
export async function changeState<P extends StatusPath>(change: StateChange<P>): Promise<boolean> {
  const { path, inputOf, former, to, ask, done, link } = change
  let day = change.day?.value
  if (ask !== undefined) {
    const agreed = await confirmEffect({
      path,
      input: inputOf(to, day),
      ...ask,
      // Going on brings goods; going back returns them.
      comes: to > former && to !== canceled ? 'adds' : 'gives',
      children: (
        <>
          {ask.children}
          {change.day && <AskedDay {...change.day} onChange={(chosen) => (day = chosen)} />}
        </>
      ),
    })
    if (!agreed) return false
  }
  await act(path, inputOf(to, day || undefined))
  told(done, { ...seenAt(link), ...(former === inParts ? {} : { undo: () => act(path, inputOf(former)) }) })
  return true
}

export /** Where it can be seen, for those who are elsewhere. */
const seenAt = (link: string): { to?: string } => (window.location.pathname === link ? {} : { to: link })

export function AskedDay(props: { label: string; value: string; max?: string; onChange: (day: string) => void }) {
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

/** True when it was deleted. */
export async function deleteRecord<P extends DeletePath>(question: {
  readonly path: P
  readonly input: Input<P>
  readonly title: string
  readonly lead: string
  readonly label: string
  readonly done: string
}): Promise<boolean> {
  const { path, input, done, ...asked } = question
  if (!(await confirmEffect({ path, input, ...asked, danger: true }))) return false
  await act(path, input)
  told(done)
  return true
}

/** Saving what has an effect already moves stock: asked for only when it would. Throws when the person thinks better of it. */
export async function agreeToEffect<P extends Path>(
  path: P,
  input: Input<P>,
  asked: { readonly title: string; readonly lead: string; readonly label: string },
): Promise<void> {
  const effect = await preview(path, input)
  if (effect.length > 0 && !(await confirmEffect({ path, input, ...asked, comes: 'adds' })))
    throw new Error(words.documents.notSaved)
}

type Asked = {
  readonly title: string
  readonly lead: string
  readonly label: string
  readonly danger?: boolean
  readonly comes?: Comes
}

/** The same act on every chosen record, after saying what it does to stock in all. False when nobody agreed. */
export async function actOnEach<P extends Path, Row>(
  rows: readonly Row[],
  path: P,
  inputOf: (row: Row) => Input<P>,
  asked: Asked,
): Promise<boolean> {
  const [input, ...more] = rows.map(inputOf)
  if (input === undefined || !(await confirmEffect({ path, input, more, ...asked }))) return false
  await runEach(rows, (row) => act(path, inputOf(row)))
  return true
}
