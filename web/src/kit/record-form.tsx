// A form over one record: typed values, differences from the saved version, server errors at their fields, saving by Ctrl+Enter.
// When another user saves in the meantime, fields untouched here are updated; for fields changed on both sides, both versions are shown.

import { Alert, Button, Group, Text } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { text } from '../format.ts'
import { messages } from '../messages.ts'
import { Refusal, textOf } from '../server/call.ts'
import { ConflictNotice, type RecordName } from './conflict-notice.tsx'
import { allCreated } from './create-in-place.ts'
import { type DraftOptions, readDraft, useDraft } from './draft.ts'
import { fieldOf } from './field-errors.ts'
import { type Form, useForm } from './form.ts'
import { saveKey, useKey } from './keys.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { dropOpenTexts, hasOpenText } from './open-text.ts'

type Values = Record<string, unknown>

export type RecordFormOptions<V extends Values> = {
  /** The server's version; a new object when it changed there. */
  readonly saved: V
  /** Saves; `force` is true when the user decided to overwrite another user's version. */
  readonly save: (values: V, force: boolean) => Promise<unknown>
  /** Field labels for showing both versions. */
  readonly labels?: Partial<Record<keyof V & string, string>>
  /** The part of a field that is compared between versions, where that is not all of it: lines without their keys. */
  readonly essence?: { readonly [K in keyof V & string]?: (value: V[K]) => unknown }
  /** How a field is formatted where both versions are shown. */
  readonly shown?: { readonly [K in keyof V & string]?: (value: V[K]) => string }
  /** The record's name in its history, which shows who else changed it. */
  readonly of?: RecordName | undefined
  /** For a new record: what was typed survives reloading the page. */
  readonly draft?: DraftOptions<V>
  /** Label of the save button, where saving is more than that; a verb. */
  readonly label?: string
  /** Reloads the saved version after the server refused to overwrite a newer one. */
  readonly reload?: () => Promise<unknown>
}

/** Thrown while saving when the user canceled a confirmation: it is not an error, and no message is shown. */
export class SaveCanceled extends Error {}

type Of<T> = { readonly [key: string]: ((value: unknown) => T) | undefined }

export function useRecordForm<V extends Values>(options: RecordFormOptions<V>) {
  const { saved, label = messages.kit.card.save } = options
  const [restored] = useState(() => readDraft(options.draft, saved))
  const form = useForm<V>(restored ?? saved)
  const versions = useVersions(options, form)
  const { isDirty, refusal, take } = versions
  useDraft(options.draft, form, isDirty)
  const notice = useRef<HTMLDivElement>(null)
  const { isSaving, submit, showError } = useSubmit(options, form, versions, notice)
  useKey('mod+Enter', label, () => void submit(), true)

  /** At the top of the form: the error without a field, the two versions, the leave guard. */
  const notices = (
    <>
      <LeaveGuard isDirty={isDirty && !isSaving} />
      {restored !== undefined && isDirty && (
        <Group gap="xs" mb="sm">
          <Text size="sm" c="dimmed">
            {messages.kit.card.restored}
          </Text>
          <Button variant="default" onClick={() => take(saved)}>
            {messages.kit.card.startAgain}
          </Button>
        </Group>
      )}
      {refusal !== undefined && <Alert color="red" variant="outline" role="alert" mb="sm" title={textOf(refusal)} />}
      {versions.conflict !== undefined && (
        <ConflictNotice
          of={options.of}
          notice={notice}
          rows={conflictRows(options, form, versions)}
          takeTheirs={() => take(saved)}
          keepMine={() => void submit(true)}
        />
      )}
    </>
  )
  /** Save and Discard, with the mark of unsaved changes. */
  const saveBar = (isDirty || isSaving) && (
    <Group gap="xs">
      <Text size="sm" c="dimmed" visibleFrom="sm">
        {messages.kit.card.unsaved}
      </Text>
      <Button variant="default" disabled={isSaving} onClick={() => take(saved)}>
        {messages.kit.card.discard}
      </Button>
      <Button loading={isSaving} onClick={() => void submit()} title={saveKey}>
        {label}
      </Button>
    </Group>
  )
  return {
    form,
    isDirty,
    isSaving,
    isRestored: restored !== undefined,
    error: refusal,
    submit,
    take,
    showError,
    notices,
    saveBar,
    saveAction: { label, run: () => submit() },
  }
}

/** The last version loaded or saved, and changes saved by another user: merged, or shown as a conflict. */
function useVersions<V extends Values>({ saved, essence }: RecordFormOptions<V>, form: Form<V>) {
  const [base, setBase] = useState(saved)
  const [refusal, setRefusal] = useState<unknown>()
  /** Fields that both sides changed; empty when the server only reported a conflict. */
  const [conflict, setConflict] = useState<readonly string[]>()
  const keys = Object.keys(form.values)
  const isSame = (key: string, one: unknown, other: unknown): boolean => {
    const of = ((essence ?? {}) as Of<unknown>)[key] ?? ((value: unknown) => value)
    return Object.is(one, other) || JSON.stringify(of(one)) === JSON.stringify(of(other))
  }
  const isSameVersion = (one: V, other: V): boolean => keys.every((key) => isSame(key, one[key], other[key]))
  const own = useOwnVersions(isSameVersion)
  const isDirty = !isSameVersion(form.values, base)

  const take = (values: V): void => {
    dropOpenTexts()
    setBase(values)
    form.setValues(values)
    form.clearErrors()
    setRefusal(undefined)
    setConflict(undefined)
  }
  /** Merges what another user saved, field by field; typed values are kept. */
  const merge = (typed: V): void => {
    const untouched = keys.filter((key) => isSame(key, typed[key], base[key]))
    const both = keys.filter(
      (key) => !untouched.includes(key) && !isSame(key, saved[key], base[key]) && !isSame(key, typed[key], saved[key]),
    )
    form.setValues(Object.fromEntries(untouched.map((key) => [key, saved[key]])) as Partial<V>)
    setBase(saved)
    if (both.length > 0) setConflict(both)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new saved version matters; typed values are kept
  useEffect(() => {
    if (isSameVersion(saved, base) || own.includes(saved)) return
    // The last keys may not be rendered yet.
    const typed = form.getValues()
    if (isSameVersion(typed, base)) take(saved)
    else merge(typed)
  }, [saved])

  const { lines } = form.values
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error about the lines is obsolete as soon as they change
  useEffect(() => setRefusal((shown: unknown) => (isAboutLines(shown) ? undefined : shown)), [lines])

  /** Makes the typed values the saved version. */
  const accept = (typed: V): void => {
    own.add(typed)
    setBase(typed)
    setConflict(undefined)
  }
  return { isSame, isDirty, refusal, setRefusal, conflict, setConflict, take, accept }
}

const isAboutLines = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'no_lines' || error.line !== undefined)

type Versions<V extends Values> = ReturnType<typeof useVersions<V>>

const ownVersionMs = 10_000

/** Our own recent save: after two saves in a row, the first version may be loaded after the second. It is not another user's change. */
function useOwnVersions<V>(isSame: (one: V, other: V) => boolean) {
  const versions = useRef<readonly { readonly values: V; readonly atMs: number }[]>([])
  return {
    add: (values: V): void => {
      versions.current = [...versions.current.slice(-9), { values, atMs: performance.now() }]
    },
    includes: (version: V): boolean =>
      versions.current.some(({ values, atMs }) => performance.now() - atMs < ownVersionMs && isSame(version, values)),
  }
}

/** Saves, one request at a time; an error is shown at its field, or above the form. */
function useSubmit<V extends Values>(
  { save, reload }: RecordFormOptions<V>,
  form: Form<V>,
  { conflict, setConflict, setRefusal, accept }: Versions<V>,
  notice: RefObject<HTMLDivElement | null>,
) {
  const [isSaving, setSaving] = useState(false)
  const showError = (error: unknown): void => {
    const field = fieldOf(error, Object.keys(form.values))
    if (field === undefined) setRefusal(error)
    else form.setErrors({ [field]: textOf(error) })
  }
  const submit = async (force = false): Promise<boolean> => {
    // Both versions are shown: neither overwrites the other until the user chooses.
    if (conflict !== undefined && !force) {
      notice.current?.scrollIntoView({ block: 'nearest' })
      notice.current?.focus()
      return false
    }
    if (isSaving || hasOpenText()) return false
    setSaving(true)
    setRefusal(undefined)
    form.clearErrors()
    await allCreated()
    const typed = form.getValues()
    try {
      await save(typed, force)
      accept(typed)
      return true
    } catch (error) {
      if (error instanceof Refusal && error.isConflict) {
        setConflict((known) => known ?? [])
        await reload?.()
      } else if (!(error instanceof SaveCanceled)) showError(error)
      return false
    } finally {
      setSaving(false)
    }
  }
  return { isSaving, submit, showError }
}

/** The fields that differ, as typed here and as saved by another user. */
function conflictRows<V extends Values>(
  { saved, labels = {}, shown = {} }: RecordFormOptions<V>,
  { values }: Form<V>,
  { conflict, isSame }: Versions<V>,
): { label: string; mine: string; theirs: string }[] {
  const written = (key: string, value: unknown): string => (shown as Of<string>)[key]?.(value) ?? shortText(value)
  const differing = conflict?.length
    ? conflict
    : Object.keys(values).filter((key) => !isSame(key, values[key], saved[key]))
  return differing.map((key) => ({
    label: (labels as Record<string, string>)[key] ?? key,
    mine: written(key, values[key]),
    theirs: written(key, saved[key]),
  }))
}

function shortText(value: unknown): string {
  const shown =
    typeof value === 'object' && value !== null ? JSON.stringify(value) : text(value as string | number | null)
  return shown.length > 120 ? `${shown.slice(0, 119)}…` : shown
}
