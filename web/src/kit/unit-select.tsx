// The unit of measure of an item: selected, or created by typing a new one.

import type { ReactNode } from 'react'
import { mutate } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { notifyError } from './notify.tsx'
import { RecordSelect } from './record-select.tsx'

type Props = {
  readonly label: string
  readonly error: ReactNode
  readonly value: number | null
  /** With the name of the unit. */
  readonly onChange: (id: number | null, name: string) => void
}

export function UnitSelect({ label, error, value, onChange }: Props) {
  const mayCreate = useMay('manager')
  const create = async (name: string): Promise<void> => {
    const { unit_id: id } = await mutate('units/add', { name })
    onChange(id, name)
  }
  return (
    <RecordSelect
      of="units"
      label={label}
      allowDeselect={false}
      error={error}
      value={value}
      onChange={onChange}
      {...(mayCreate ? { onCreate: (name: string) => void create(name).catch(notifyError) } : {})}
    />
  )
}
