// A document's state, its payment and the availability of its goods, each as a mark with a word; and the menu that changes one in place.

import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconClock, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { empty, quantity } from '../format.ts'
import { words } from '../words.ts'
import classes from './state-badge.module.css'

type Documents = Exclude<keyof typeof words.states, 'payment' | 'availability'>

const named = (states: object, code: number | string): string =>
  (states as Record<string, string>)[code] ?? String(code)

/** The word for a state, also for exports. */
export const stateWord = (of: Documents, code: number): string => named(words.states[of], code)
export const paymentWord = (code: number): string => named(words.states.payment, code)
export const availabilityWord = (mark: string | null | undefined): string =>
  mark ? named(words.states.availability, mark) : empty

export function StateBadge({ of, code }: { of: Documents; code: number }) {
  return (
    <span className={classes['badge']} data-tone={code}>
      {stateWord(of, code)}
    </span>
  )
}

export function PaymentBadge({ code }: { code: number }) {
  return (
    <span className={classes['badge']} data-plain>
      <span className={classes['mark']} data-fill={code} aria-hidden />
      {paymentWord(code)}
    </span>
  )
}

const marks = { in_stock: IconCheck, expected: IconClock, missing: IconX }

export function Availability({ mark }: { mark: string | null | undefined }) {
  if (!mark || !(mark in marks)) return <span>{availabilityWord(mark)}</span>
  const Icon = marks[mark as keyof typeof marks]
  return (
    <span className={classes['available']} data-mark={mark}>
      <Icon size={14} stroke={2} aria-hidden />
      {availabilityWord(mark)}
    </span>
  )
}

/** A quantity; below zero it is red, with its minus. */
export function Quantity({ value, unit }: { value: number | null | undefined; unit?: string | null }) {
  const shown = quantity(value, unit)
  return value !== null && value !== undefined && value < 0 ? (
    <span className={classes['negative']}>{shown}</span>
  ) : (
    shown
  )
}

export type StateChoice = { readonly label: string; readonly run: () => void; readonly disabled?: string | undefined }

/** A badge that opens the states it can be changed to. Clicks do not reach the row beneath. */
export function StateMenu({
  label,
  badge,
  choices,
}: {
  label: string
  badge: ReactNode
  choices: readonly StateChoice[]
}) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes['button']} aria-label={label} onClick={(event) => event.stopPropagation()}>
          {badge}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {choices.map((choice) => (
          <Menu.Item
            key={choice.label}
            disabled={choice.disabled !== undefined}
            title={choice.disabled}
            onClick={choice.run}
          >
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
