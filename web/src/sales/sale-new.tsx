// A new sale, entered by keyboard from customer to save; also as a copy of another, or of items given in the address.

import { Button } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { chargesInput, copied, pricedEssence, pricedInput } from '../documents/lines.ts'
import { useSellingLines } from '../documents/start.ts'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { saveKey } from '../kit/keys.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import type { LineSearchHandle } from '../kit/line-search.tsx'
import { notify } from '../kit/notify.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { messages } from '../messages.ts'
import { call, Refusal } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useMay, useSession } from '../session.tsx'
import { SaleGrid } from './sale-form.tsx'
import { SaleSide } from './sale-side.tsx'
import { newValues, type SaleValues, valuesOf } from './sale-values.ts'

const texts = messages.sales
const crumbs = [{ label: texts.title, to: '/sales' }]

const nextNumber = async (): Promise<string> => (await call('orders/next_number', {})).num

export function Component() {
  const session = useSession()
  const mayEdit = useMay('manager')
  const [params] = useSearchParams()
  const from = Number(params.get('copy')) || undefined
  const customerId = Number(params.get('customer_id')) || null
  const original = useMethod('orders/get_card', { order_id: from ?? 0 }, { enabled: from !== undefined })
  const named = useSellingLines()
  const start = useMemo(() => newValues(session), [session])
  const values = useMemo(() => {
    if (original.data === undefined) return { ...start, customer_id: customerId, lines: named ?? [] }
    const { num: _num, date_placed: _placed, date_shipped: _shipped, notes: _notes, ...kept } = valuesOf(original.data)
    return { ...start, ...kept, lines: copied(kept.lines) }
  }, [start, original.data, customerId, named])
  if (!mayEdit) return <Navigate to="/sales" replace />
  if (named === undefined || (from !== undefined && original.data === undefined))
    return (
      <CardWaiting
        title={texts.newTitle}
        crumbs={crumbs}
        error={original.error}
        again={() => void original.refetch()}
      />
    )
  return <NewSale start={start} values={values} />
}

/** `values` are the initial values of the form; differences from `start` are unsaved changes. */
function NewSale({ start, values }: { start: SaleValues; values: SaleValues }) {
  const navigate = useNavigate()
  const search = useRef<LineSearchHandle>(null)
  const proposed = useRef('')
  const [first] = useState(start)
  const { form, isSaving, isRestored, error, submit, notices } = useRecordForm<SaleValues>({
    saved: first,
    draft: {
      name: 'sale',
      // Another number may be proposed by then.
      stored: (typed) => (typed.num === proposed.current ? { ...typed, num: '' } : typed),
      restored: (typed) => ({ ...typed, lines: copied(typed.lines) }),
    },
    essence: { lines: pricedEssence, num: (num) => (num === proposed.current ? '' : num) },
    save: async (typed) => {
      if (typed.customer_id === null) throw new Refusal(400, '', { code: 'required', field: 'customer_id' })
      // Another sale may have been created since the number was proposed.
      const num = typed.num === proposed.current && typed.num !== '' ? await nextNumber() : typed.num
      const { lines, customer_id, products_storage_id, materials_storage_id, production, date_shipped, ...typedTexts } =
        typed
      const { billing_address, delivery_address, ...rest } = typedTexts
      const { order_id: id } = await mutate('orders/add', {
        ...rest,
        num,
        customer_id,
        production: production ? 1 : 0,
        ...(date_shipped ? { date_shipped } : {}),
        ...(billing_address ? { billing_address } : {}),
        ...(delivery_address ? { delivery_address } : {}),
        ...(products_storage_id ? { products_storage_id } : {}),
        ...(materials_storage_id ? { materials_storage_id } : {}),
        ...chargesInput(typed),
        ...pricedInput(lines),
      })
      notify(texts.created(num))
      navigateFreely(() => void navigate(`/sales/${id}`, { replace: true }))
    },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (values !== start && !isRestored) form.setValues(values)
    void nextNumber()
      .catch(() => '')
      .then((num) => {
        proposed.current = num
        form.setValues((now) => ({ ...now, num: now.num || num }))
      })
  }, [])

  return (
    <CardPage
      title={texts.newTitle}
      crumbs={crumbs}
      saveBar={
        <Button loading={isSaving} onClick={() => void submit()} title={saveKey}>
          {texts.create}
        </Button>
      }
      side={<SaleSide form={form} isReadOnly={false} isNew onCustomer={() => search.current?.focus()} />}
      isSideFirst
    >
      {notices}
      <SaleGrid form={form} isReadOnly={false} error={error} search={search} />
    </CardPage>
  )
}
