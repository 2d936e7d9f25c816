// The status, payment and availability of a document as marks with labels, and the menu that changes one in place.

import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconClock, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { empty, quantity } from '../format.ts'
import { messages } from '../messages.ts'
import classes from './state-badge.module.css'
import { type StatusSet, statusLabel, statusOf } from './status.ts'

type Documents = Exclude<StatusSet, 'payment'>

/** The label of a status, also for exports. */
export const stateLabel = (of: Documents, code: number): string => statusLabel(of, code)
export const paymentLabel = (code: number): string => statusLabel('payment', code)
export const availabilityLabel = (mark: string | null | undefined): string =>
  mark ? ((messages.states.availability as Record<string, string>)[mark] ?? mark) : empty

/** A badge of something that is no document. */
export function PlainBadge({ colour, label }: { colour: 'green' | 'red' | 'yellow' | 'grey'; label: string }) {
  return (
    <span className={classes['badge']} data-colour={colour}>
      {label}
    </span>
  )
}

export function StateBadge({ of, code }: { of: Documents; code: number }) {
  return (
    <span className={classes['badge']} data-colour={statusOf(of, code)?.colour}>
      {stateLabel(of, code)}
    </span>
  )
}

export function PaymentBadge({ code }: { code: number }) {
  return (
    <span className={classes['badge']} data-plain>
      <span className={classes['mark']} data-colour={statusOf('payment', code)?.colour} aria-hidden />
      {paymentLabel(code)}
    </span>
  )
}

const marks = { in_stock: IconCheck, expected: IconClock, missing: IconX }

export function Availability({ mark }: { mark: string | null | undefined }) {
  if (!mark || !(mark in marks)) return <span>{availabilityLabel(mark)}</span>
  const Icon = marks[mark as keyof typeof marks]
  return (
    <span className={classes['available']} data-mark={mark}>
      <Icon size={14} stroke={2} aria-hidden />
      {availabilityLabel(mark)}
    </span>
  )
}

/** A quantity; negative ones are red, with a minus sign. */
export function Quantity({ value, unit }: { value: number | null | undefined; unit?: string | null }) {
  const shown = quantity(value, unit)
  return value !== null && value !== undefined && value < 0 ? (
    <span className={classes['negative']}>{shown}</span>
  ) : (
    shown
  )
}

export type StateChoice = { readonly label: string; readonly run: () => void; readonly disabled?: string | undefined }

/** A badge that opens a menu of the allowed statuses. Clicks do not reach the row beneath. */
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
