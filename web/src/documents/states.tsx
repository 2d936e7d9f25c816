// States of a document that can be changed in place: the badge with its menu, in lists and cards, and the key that opens it.

import { useRef } from 'react'
import { useKey } from '../frame/keys.tsx'
import type { Filter } from '../kit/list-filters.tsx'
import { StateBadge, type StateChoice, StateMenu, stateWord } from '../kit/state-badge.tsx'
import { words } from '../words.ts'

type Kind = Parameters<typeof stateWord>[0]

type Props = {
  readonly of: Kind
  readonly code: number
  /** Which document it is, for those who cannot see it. */
  readonly num: string
  readonly id: number
  readonly change: (to: number) => unknown
  /** States that may be set, in their order. */
  readonly settable: readonly number[]
}

export function StateChanger({ of, code, num, id, change, settable }: Props) {
  const choices: StateChoice[] = settable
    .filter((status) => status !== code)
    .map((status) => ({ label: stateWord(of, status), run: () => void change(status) }))
  return (
    <span data-state-of={id}>
      <StateMenu
        label={words.documents.changeState(num, stateWord(of, code))}
        badge={<StateBadge of={of} code={code} />}
        choices={choices}
      />
    </span>
  )
}

/** The same in the head of a card, also by its key. */
export function CardState(props: Props) {
  const place = useRef<HTMLSpanElement>(null)
  useKey('s', words.kit.list.changeState, () => place.current?.querySelector('button')?.click())
  return (
    <span ref={place}>
      <StateChanger {...props} />
    </span>
  )
}

/** What `s` does in a list: the menu of that row opens. */
export const openStateOf = ({ id }: { readonly id: number }): void => {
  document.querySelector<HTMLElement>(`[data-state-of="${id}"] button`)?.click()
}

export const choicesOf = (of: object): { value: string; label: string }[] =>
  Object.entries(of).map(([value, label]) => ({ value, label: String(label) }))

/** A filter by states, several at once: they go over the wire as their codes. */
export const statesFilter = (name: string, label: string, of: object): Filter => ({
  kind: 'choice',
  name,
  label,
  options: choicesOf(of),
  many: true,
  isNumber: true,
})
