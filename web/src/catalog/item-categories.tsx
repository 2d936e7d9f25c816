// The categories of an item: selected, or created by typing a new one.

import { MultiSelect } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { createInPlace } from '../kit/create-in-place.ts'
import { messages } from '../messages.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import classes from './catalog.module.css'
import { categoryOptions } from './category-options.ts'
import type { ItemKindRules } from './kinds.ts'

type Props = {
  readonly type: ItemKindRules['section']
  readonly value: readonly number[]
  readonly error: ReactNode
  readonly onChange: (ids: number[]) => void
}

const newValue = 'new'

export function ItemCategories({ type, value, error, onChange }: Props) {
  const mayCreate = useMay('manager')
  const [typed, setTyped] = useState('')
  const { data } = useMethod('categories/get_list', {}, { staleMs: 60_000 })
  // A category that is created in place arrives later: what was chosen meanwhile is kept.
  const latest = useRef(value)
  latest.current = value
  const name = typed.trim()
  const all = data?.categories ?? []
  const exists = all.some((one) => one.type === type && one.name.toLowerCase() === name.toLowerCase())
  const create = (): void =>
    createInPlace(async () => {
      const { category_id: id } = await mutate('categories/add', { name, type })
      onChange([...latest.current, id])
    })
  return (
    <MultiSelect
      className={classes['wide'] ?? ''}
      label={messages.catalog.field.categories}
      searchable
      clearable
      data={[
        ...categoryOptions(all, type),
        ...(mayCreate && name !== '' && data !== undefined && !exists
          ? [{ value: newValue, label: messages.kit.select.create(name) }]
          : []),
      ]}
      error={error}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value.map(String)}
      onChange={(ids) => {
        if (ids.includes(newValue)) create()
        else onChange(ids.map(Number))
        setTyped('')
      }}
    />
  )
}
