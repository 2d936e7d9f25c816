// A field that selects one record by typing: customers, suppliers, items, or short lists that are loaded in full.

import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import type { ItemKind } from './line.ts'

export type RecordKind =
  | 'customers'
  | 'suppliers'
  | 'items'
  | 'storages'
  | 'units'
  | 'product-categories'
  | 'material-categories'
  | 'resource-categories'

type Option = { value: string; label: string }

/** The matching records, and the selected one even if it does not match. */
export function useRecordOptions(
  of: RecordKind,
  search: string,
  id: number | null,
  kinds?: readonly ItemKind[],
): { options: Option[]; isLoading: boolean } {
  const ids = id === null ? [] : [id]
  const isContact = of === 'customers' || of === 'suppliers'
  const contacts = useMethod(
    `${isContact ? of : 'customers'}/browse`,
    { search, limit: 20, sort: 'name' },
    { enabled: isContact, keep: true },
  )
  const contact = useMethod(
    `${isContact ? of : 'customers'}/browse`,
    { ids, limit: 1 },
    { enabled: isContact && id !== null },
  )
  const items = useMethod(
    'items/search',
    { search, limit: 20, ...(kinds === undefined ? {} : { kinds: [...kinds] }) },
    { enabled: of === 'items', keep: true },
  )
  const item = useMethod('stock/browse', { ids, by: 'item', limit: 1 }, { enabled: of === 'items' && id !== null })
  const storages = useMethod('storages/get_list', {}, { enabled: of === 'storages', staleMs: 60_000 })
  // A deleted record is not listed; where it still has stock, the stock provides its name.
  const isGone = id !== null && storages.data !== undefined && !storages.data.storages.some((one) => one.id === id)
  const gone = useMethod(
    'stock/browse',
    { by: 'storage', limit: 1, ...(id === null ? {} : { storage_id: id }) },
    { enabled: of === 'storages' && isGone },
  )
  const units = useMethod('units/get_list', {}, { enabled: of === 'units', staleMs: 60_000 })
  const categories = useMethod('categories/get_list', {}, { enabled: of.endsWith('-categories'), staleMs: 60_000 })
  const type = `${of.split('-')[0]}s`
  const rowsOf = (answer: object | undefined): Row[] =>
    answer === undefined ? [] : ((answer as Record<string, Row[]>)[of] ?? [])
  const all: Row[] = isContact
    ? [...rowsOf(contact.data), ...rowsOf(contacts.data)]
    : of === 'items'
      ? [...(item.data?.stock ?? []), ...(items.data?.items ?? [])]
      : of === 'storages'
        ? [...(storages.data?.storages ?? []), ...(gone.data?.stock ?? []).map(goneStorage)]
        : of === 'units'
          ? (units.data?.units ?? [])
          : (categories.data?.categories ?? []).filter((category) => category.type === type)
  const options = new Map(all.map((row) => [String(row.id), { value: String(row.id), label: labelOf(row) }]))
  return {
    options: [...options.values()],
    isLoading: [contacts, items].some((query) => query.isLoading || query.isPlaceholderData),
  }
}

const goneStorage = (level: { readonly storage_id: number | null; readonly storage_name: string | null }): Row => ({
  id: level.storage_id ?? 0,
  name: messages.kit.select.deleted(level.storage_name ?? ''),
})

type Row = { readonly id: number; readonly name: string; readonly sku?: string | null }
const labelOf = ({ name, sku }: Row): string => (sku ? `${name} · ${sku}` : name)

/** The name of a record by its id. */
export function RecordName({ of, id }: { of: RecordKind; id: number }) {
  const { options } = useRecordOptions(of, '', id)
  return options.find(({ value }) => value === String(id))?.label ?? `#${id}`
}

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchable'> & {
  readonly of: RecordKind
  /** Of items: only these kinds. */
  readonly kinds?: readonly ItemKind[] | undefined
  readonly value: number | null
  readonly onChange: (id: number | null, label: string) => void
  /** Offers to create a record from the typed text when none has that name. */
  readonly onCreate?: (name: string) => void
}

const newValue = 'new'

export function RecordSelect({ of, kinds, value, onChange, onCreate, ...rest }: Props) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 150)
  const { options, isLoading } = useRecordOptions(of, chosenLabel(typed, search), value, kinds)
  const isShort = !['customers', 'suppliers', 'items'].includes(of)
  const isPending = !isShort && (typed !== search || isLoading)
  const name = typed.trim()
  const isCalled = ({ label }: Option): boolean => label.toLowerCase() === name.toLowerCase()
  const mayCreate = onCreate !== undefined && name !== '' && !options.some(isCalled)
  const data = mayCreate ? [...options, { value: newValue, label: messages.kit.select.create(name) }] : options
  const choose = (id: string | null, label: string): void => {
    if (id === newValue) onCreate?.(name)
    else onChange(id === null ? null : Number(id), label)
  }

  // Enter before the results arrive waits for them, and selects the exact match or the only result.
  const [isWaiting, setWaiting] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection is made once, when the results arrive
  useEffect(() => {
    if (!isWaiting || isPending) return
    setWaiting(false)
    const found = options.filter(({ value: id }) => id !== String(value))
    const one = options.find(isCalled) ?? (found.length === 1 ? found[0] : undefined)
    if (one !== undefined) choose(one.value, one.label)
    else if (found.length === 0 && mayCreate) choose(newValue, '')
  }, [isWaiting, isPending])

  return (
    <Select
      {...rest}
      searchable
      openOnFocus={false}
      // Keeps the selected record in the options: without it the field would lose its label.
      data={isPending ? options.filter(({ value: id }) => id === String(value)) : data}
      value={value === null ? null : String(value)}
      onSearchChange={setTyped}
      // No filtering by the typed text: the server may have matched a phone number or a code.
      {...(isShort ? {} : { filter: ({ options: found }) => found })}
      // The best match is highlighted as soon as the results arrive, so that Enter selects it.
      selectFirstOptionOnChange={!isPending && name !== ''}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !isPending || name === '') return
        event.preventDefault()
        event.stopPropagation()
        setWaiting(true)
      }}
      onChange={(id, option) => choose(id, option?.label ?? '')}
      nothingFoundMessage={
        isPending ? messages.kit.lines.searching : typed === '' ? messages.kit.select.type : messages.kit.select.nothing
      }
    />
  )
}

/** The field reports the selected record's label as typed text; that is not a search. */
const chosenLabel = (typed: string, search: string): string =>
  typed === search ? (search.split(' · ')[0] ?? '') : search
