// Changing the status of a document in place: the badge with its menu, in lists and cards, and its keyboard shortcut.

import { useRef } from 'react'
import { useKey } from '../kit/keys.tsx'
import type { Filter } from '../kit/list-filters.tsx'
import { StateBadge, type StateChoice, StateMenu, stateLabel } from '../kit/state-badge.tsx'
import { type StatusSet, statusChoices } from '../kit/status.ts'
import { messages } from '../messages.ts'

type Kind = Parameters<typeof stateLabel>[0]

type Props = {
  readonly of: Kind
  readonly code: number
  /** Which document it is, for screen readers. */
  readonly num: string
  readonly id: number
  readonly change: (to: number) => unknown
  /** Statuses that may be set, in order. */
  readonly settable: readonly number[]
}

export function StateChanger({ of, code, num, id, change, settable }: Props) {
  const choices: StateChoice[] = settable
    .filter((status) => status !== code)
    .map((status) => ({ label: stateLabel(of, status), run: () => void change(status) }))
  return (
    <span data-state-of={id}>
      <StateMenu
        label={messages.documents.changeState(num, stateLabel(of, code))}
        badge={<StateBadge of={of} code={code} />}
        choices={choices}
      />
    </span>
  )
}

/** The same in the head of a card, with its keyboard shortcut. */
export function CardState(props: Props) {
  const place = useRef<HTMLSpanElement>(null)
  useKey('s', messages.kit.list.changeState, () => place.current?.querySelector('button')?.click())
  return (
    <span ref={place}>
      <StateChanger {...props} />
    </span>
  )
}

/** What `s` does in a list: opens the menu of the row. */
export const openStateOf = ({ id }: { readonly id: number }): void => {
  document.querySelector<HTMLElement>(`[data-state-of="${id}"] button`)?.click()
}

export const choicesOf = (of: object): { value: string; label: string }[] =>
  Object.entries(of).map(([value, label]) => ({ value, label: String(label) }))

/** A filter by one or several statuses, sent as their codes. */
export const statesFilter = (name: string, label: string, of: StatusSet): Filter => ({
  kind: 'choice',
  name,
  label,
  options: statusChoices(of),
  many: true,
  isNumber: true,
})
