// A transfer being edited: conversion from the saved record to fields, and from fields to the input of the methods.

import { copied, linesOf, plainInput, sent } from '../documents/lines.ts'
import type { Line } from '../kit/line.ts'
import type { Output } from '../server/call.ts'
import type { Session } from '../session.tsx'
import { arrived } from './transfer-actions.ts'

export type TransferCard = Output<'transfers/get_card'>
export type TransferValues = {
  num: string
  storage_from_id: number | null
  storage_to_id: number | null
  date: string
  date_received: string
  notes: string
  /** Only for a new transfer; later it is changed by actions. */
  status: string
  lines: Line[]
}

export const valuesOf = ({ transfer }: TransferCard): TransferValues => ({
  num: transfer.num,
  storage_from_id: transfer.storage_from_id,
  storage_to_id: transfer.storage_to_id,
  date: transfer.date,
  date_received: transfer.date_received,
  notes: transfer.notes,
  status: String(transfer.status),
  lines: linesOf(transfer),
})

export function newValues(
  { today }: Session,
  from: number,
  lines: Line[],
  original: TransferCard | undefined,
): TransferValues {
  const fresh = { num: '', date: today, date_received: '', status: String(arrived) }
  if (original !== undefined) {
    const same = valuesOf(original)
    return { ...same, ...fresh, lines: copied(same.lines) }
  }
  return { ...fresh, storage_from_id: from, storage_to_id: null, notes: '', lines }
}

export const inputOf = ({
  num,
  storage_from_id: from,
  storage_to_id: to,
  date,
  date_received,
  notes,
  lines,
}: TransferValues) => ({
  storage_from_id: from ?? 0,
  storage_to_id: to ?? 0,
  notes,
  ...sent({ num: num.trim(), date, date_received }),
  ...plainInput(lines),
})
