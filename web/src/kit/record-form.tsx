// A form over one record: what was typed, what differs from the saved, the server's error at its field, saving by Ctrl+Enter.
// When someone else saves meanwhile, fields untouched here follow; where both changed one, both versions are shown.

import { Alert, Button, Group, Table, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { text } from '../format.ts'
import { useKey } from '../frame/keys.tsx'
import { Refusal, textOf } from '../server/call.ts'
import { words } from '../words.ts'
import { fieldOf } from './field-errors.ts'
import { LeaveGuard } from './leave-guard.tsx'

type Values = Record<string, unknown>

export type RecordFormOptions<V extends Values> = {
  /** As the server has it; a new object when it changed there. */
  readonly saved: V
  /** Saves; `force` is true when the person decided to save over someone else's version. */
  readonly save: (values: V, force: boolean) => Promise<unknown>
  /** Names of fields for the page that shows both versions. */
  readonly labels?: Partial<Record<keyof V & string, string>>
  /** What of a field counts when versions are compared, where that is less than all of it: lines without their keys. */
  readonly essence?: { readonly [K in keyof V & string]?: (value: V[K]) => unknown }
  /** How a field is written where both versions are shown. */
  readonly shown?: { readonly [K in keyof V & string]?: (value: V[K]) => string }
  /** Asks the server for the saved version again, after it refused to write over a newer one. */
  readonly reload?: () => Promise<unknown>
}

/** Thrown while saving when the person was asked and thought better of it: nothing failed, nothing is told. */
export class ThoughtBetter extends Error {}

type Of<T> = { readonly [key: string]: ((value: unknown) => T) | undefined }

export function useRecordForm<V extends Values>(options: RecordFormOptions<V>) {
  const { saved, save, labels = {}, reload } = options
  const essence = (options.essence ?? {}) as Of<unknown>
  const form = useForm<V>({ mode: 'controlled', initialValues: saved })
  const [base, setBase] = useState(saved)
  const [isSaving, setSaving] = useState(false)
  const [topError, setTopError] = useState<string>()
  /** Fields that both sides changed; empty when the server only said that somebody was quicker. */
  const [conflict, setConflict] = useState<readonly string[]>()

  const keys = Object.keys(form.values)
  const isSame = (key: string, one: unknown, other: unknown): boolean => {
    const of = essence[key] ?? ((value: unknown) => value)
    return JSON.stringify(of(one)) === JSON.stringify(of(other))
  }
  const isDirty = keys.some((key) => !isSame(key, form.values[key], base[key]))

  const take = (values: V): void => {
    setBase(values)
    form.setValues(values)
    form.clearErrors()
    setTopError(undefined)
    setConflict(undefined)
  }

  /** Takes in what someone else saved, field by field; what was typed here stays. */
  const merge = (): void => {
    const theirs = keys.filter((key) => !isSame(key, saved[key], base[key]))
    const both = theirs.filter(
      (key) => !isSame(key, form.values[key], base[key]) && !isSame(key, form.values[key], saved[key]),
    )
    const followed = Object.fromEntries(
      keys.filter((key) => isSame(key, form.values[key], base[key])).map((key) => [key, saved[key]]),
    )
    form.setValues(followed as Partial<V>)
    setBase(saved)
    if (both.length > 0) setConflict(both)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new saved version matters; what is typed stays
  useEffect(() => {
    if (keys.every((key) => isSame(key, saved[key], base[key]))) return
    if (isDirty) merge()
    else take(saved)
  }, [saved])

  const submit = async (force = false): Promise<boolean> => {
    if (isSaving) return false
    setSaving(true)
    setTopError(undefined)
    form.clearErrors()
    const typed = form.values
    try {
      await save(typed, force)
      setBase(typed)
      setConflict(undefined)
      return true
    } catch (error) {
      if (error instanceof Refusal && error.isConflict) {
        setConflict((known) => known ?? [])
        await reload?.()
      } else if (!(error instanceof ThoughtBetter)) showError(textOf(error))
      return false
    } finally {
      setSaving(false)
    }
  }

  const showError = (message: string): void => {
    const field = fieldOf(message, keys)
    if (field === undefined) setTopError(message)
    else form.setErrors({ [field]: message })
  }

  useKey('mod+Enter', words.kit.card.save, () => void submit(), true)

  const written = (key: string, value: unknown): string =>
    ((options.shown ?? {}) as Of<string>)[key]?.(value) ?? shortText(value)
  const differing = conflict?.length ? conflict : keys.filter((key) => !isSame(key, form.values[key], saved[key]))
  /** Stands at the head of the form: the error that has no field, the two versions, the guard. */
  const notices = (
    <>
      <LeaveGuard isDirty={isDirty && !isSaving} />
      {topError !== undefined && <Alert color="red" variant="outline" role="alert" mb="sm" title={topError} />}
      {conflict !== undefined && (
        <Alert color="yellow" variant="outline" role="alert" mb="sm" title={words.kit.card.conflictTitle}>
          <Text size="sm">{words.kit.card.conflict}</Text>
          <Table.ScrollContainer minWidth={320} my="xs">
            <Table fz="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{words.kit.card.field}</Table.Th>
                  <Table.Th>{words.kit.card.yours}</Table.Th>
                  <Table.Th>{words.kit.card.theirs}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {differing.map((key) => (
                  <Table.Tr key={key}>
                    <Table.Td>{(labels as Record<string, string>)[key] ?? key}</Table.Td>
                    <Table.Td>{written(key, form.values[key])}</Table.Td>
                    <Table.Td>{written(key, saved[key])}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <Group gap="xs">
            <Button variant="default" onClick={() => take(saved)}>
              {words.kit.card.takeTheirs}
            </Button>
            <Button variant="default" onClick={() => void submit(true)}>
              {words.kit.card.keepMine}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )

  /** Save and Discard, with the mark of unsaved changes. */
  const saveBar = (isDirty || isSaving) && (
    <Group gap="xs">
      <Text size="sm" c="dimmed" visibleFrom="sm">
        {words.kit.card.unsaved}
      </Text>
      <Button variant="default" disabled={isSaving} onClick={() => take(saved)}>
        {words.kit.card.discard}
      </Button>
      <Button loading={isSaving} onClick={() => void submit()} title="Ctrl+Enter">
        {words.kit.card.save}
      </Button>
    </Group>
  )

  return { form, isDirty, isSaving, error: topError, submit, take, showError, notices, saveBar }
}

function shortText(value: unknown): string {
  const shown =
    typeof value === 'object' && value !== null ? JSON.stringify(value) : text(value as string | number | null)
  return shown.length > 120 ? `${shown.slice(0, 119)}…` : shown
}
