// A field that picks one record by typing: customers, suppliers, items, or the short lists that are loaded whole.

import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useMethod } from '../server/query.ts'
import { words } from '../words.ts'

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

/** The records that match, and the one that is chosen, whether it matches or not. */
export function useRecordOptions(
  of: RecordKind,
  search: string,
  id: number | null,
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
  const items = useMethod('items/search', { search, limit: 20 }, { enabled: of === 'items', keep: true })
  const item = useMethod('stock/browse', { ids, by: 'item', limit: 1 }, { enabled: of === 'items' && id !== null })
  const storages = useMethod('storages/get_list', {}, { enabled: of === 'storages', staleMs: 60_000 })
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
        ? (storages.data?.storages ?? [])
        : of === 'units'
          ? (units.data?.units ?? [])
          : (categories.data?.categories ?? []).filter((category) => category.type === type)
  const options = new Map(all.map((row) => [String(row.id), { value: String(row.id), label: labelOf(row) }]))
  return {
    options: [...options.values()],
    isLoading: [contacts, items].some((asked) => asked.isLoading || asked.isPlaceholderData),
  }
}

type Row = { readonly id: number; readonly name: string; readonly sku?: string | null }
const labelOf = ({ name, sku }: Row): string => (sku ? `${name} · ${sku}` : name)

/** The name of a record known by its id. */
export function RecordName({ of, id }: { of: RecordKind; id: number }) {
  const { options } = useRecordOptions(of, '', id)
  return options.find(({ value }) => value === String(id))?.label ?? `#${id}`
}

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchable'> & {
  readonly of: RecordKind
  readonly value: number | null
  readonly onChange: (id: number | null, label: string) => void
  /** Offers to make a record of what was typed when none has that name. */
  readonly onCreate?: (name: string) => void
}

const newValue = 'new'

export function RecordSelect({ of, value, onChange, onCreate, ...rest }: Props) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 150)
  const { options, isLoading } = useRecordOptions(of, chosenLabel(typed, search), value)
  const isShort = !['customers', 'suppliers', 'items'].includes(of)
  const isPending = !isShort && (typed !== search || isLoading)
  const name = typed.trim()
  const isCalled = ({ label }: Option): boolean => label.toLowerCase() === name.toLowerCase()
  const mayCreate = onCreate !== undefined && name !== '' && !options.some(isCalled)
  const data = mayCreate ? [...options, { value: newValue, label: words.kit.select.create(name) }] : options
  const choose = (id: string | null, label: string): void => {
    if (id === newValue) onCreate?.(name)
    else onChange(id === null ? null : Number(id), label)
  }

  // Enter before the answer waits for it, and takes the record of that name or the only one.
  const [isWaiting, setWaiting] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice is made once, when the answer is here
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
      // The chosen one stays among them: without it the field would forget its name.
      data={isPending ? options.filter(({ value: id }) => id === String(value)) : data}
      value={value === null ? null : String(value)}
      onSearchChange={setTyped}
      // What the server found need not hold the typed letters: it may have matched a phone or a code.
      {...(isShort ? {} : { filter: ({ options: found }) => found })}
      // The best match is marked as soon as the answer is here, so that Enter takes it.
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
        isPending ? words.kit.lines.searching : typed === '' ? words.kit.select.type : words.kit.select.nothing
      }
    />
  )
}

/** The field shows the chosen record's label as if it had been typed; that is no search. */
const chosenLabel = (typed: string, search: string): string =>
  typed === search ? (search.split(' · ')[0] ?? '') : search
