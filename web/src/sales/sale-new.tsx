// A new sale, written by keyboard from customer to save; also as a copy of another.

import { Button } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { copied, pricedInput } from '../documents/lines.ts'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { letThrough } from '../kit/leave-guard.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { told } from '../kit/told.tsx'
import { call, Refusal } from '../server/call.ts'
import { act, useMethod } from '../server/query.ts'
import { useMay, useSession } from '../session.tsx'
import { words } from '../words.ts'
import { SaleGrid } from './sale-form.tsx'
import { SaleSide } from './sale-side.tsx'
import { linesEssence, newValues, numberAfter, type SaleValues, valuesOf } from './sale-values.ts'

const said = words.sales
const crumbs = [{ label: said.title, to: '/sales' }]

/** Numbers of sales that came from elsewhere are somebody else's to count. */
async function nextNumber(): Promise<string> {
  const { orders } = await call('orders/browse', { source: 'manual', limit: 100 })
  const [last] = orders.toSorted((one, other) => other.id - one.id)
  return numberAfter(last?.num)
}

export function Component() {
  const session = useSession()
  const mayEdit = useMay('manager')
  const [params] = useSearchParams()
  const from = Number(params.get('copy')) || undefined
  const customerId = Number(params.get('customer_id')) || null
  const original = useMethod('orders/get_card', { order_id: from ?? 0 }, { enabled: from !== undefined })
  const start = useMemo(() => newValues(session), [session])
  const values = useMemo(() => {
    if (original.data === undefined) return { ...start, customer_id: customerId }
    const { num: _num, date_placed: _placed, date_shipped: _shipped, notes: _notes, ...kept } = valuesOf(original.data)
    return { ...start, ...kept, lines: copied(kept.lines) }
  }, [start, original.data, customerId])
  if (!mayEdit) return <Navigate to="/sales" replace />
  if (from !== undefined && original.data === undefined)
    return (
      <CardWaiting title={said.newTitle} crumbs={crumbs} error={original.error} again={() => void original.refetch()} />
    )
  return <NewSale start={start} values={values} />
}

/** `values` is what the form begins with; what differs from `start` is not saved yet. */
function NewSale({ start, values }: { start: SaleValues; values: SaleValues }) {
  const navigate = useNavigate()
  const search = useRef<HTMLInputElement>(null)
  const proposed = useRef('')
  const [first] = useState(start)
  const { form, isSaving, error, submit, notices } = useRecordForm<SaleValues>({
    saved: first,
    essence: { lines: linesEssence, num: (num) => (num === proposed.current ? '' : num) },
    save: async (typed) => {
      if (typed.customer_id === null) throw new Refusal(400, 'No customer_name or customer_id in input')
      // Somebody may have written a sale since the number was proposed.
      const num = typed.num === proposed.current ? await nextNumber() : typed.num
      const { lines, customer_id, products_storage_id, materials_storage_id, production, date_shipped, ...rest } = typed
      const { order_id: id } = await act('orders/add', {
        ...rest,
        num,
        customer_id,
        production: production ? 1 : 0,
        ...(date_shipped ? { date_shipped } : {}),
        ...(products_storage_id ? { products_storage_id } : {}),
        ...(materials_storage_id ? { materials_storage_id } : {}),
        ...pricedInput(lines),
      })
      told(said.created(num))
      letThrough(() => void navigate(`/sales/${id}`, { replace: true }))
    },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (values !== start) form.setValues(values)
    void nextNumber()
      .catch(() => '')
      .then((num) => {
        proposed.current = num
        form.setValues((now) => ({ ...now, num: now.num || num }))
      })
  }, [])

  return (
    <CardPage
      title={said.newTitle}
      crumbs={crumbs}
      saveBar={
        <Button loading={isSaving} onClick={() => void submit()} title="Ctrl+Enter">
          {said.create}
        </Button>
      }
      side={<SaleSide form={form} isReadOnly={false} isNew onCustomer={() => search.current?.focus()} />}
      isSideFirst
    >
      {notices}
      <SaleGrid form={form} isReadOnly={false} error={error} searchField={search} />
    </CardPage>
  )
}
