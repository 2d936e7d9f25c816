// The items of a count sheet, counted one by one or scanned, and saved continuously.

import { Alert, Text } from '@mantine/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { quantity } from '../format.ts'
import { notify, notifyError } from '../kit/notify.tsx'
import { findByCode, hasCode } from '../kit/scanned-item.ts'
import type { Scanned } from '../kit/scanner.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import { call, type Output } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { type Found, useSheetItems } from './count-items.ts'
import { CountRow, type SheetItem } from './count-row.tsx'
import { type CountSaver, useCountSaver } from './count-saver.ts'
import classes from './count-sheet.module.css'
import { CountProgress, Nothing, ScanField, useView, type View, ViewOptions } from './count-view.tsx'

const texts = messages.audits.sheet
const maxRows = 1000

type Props = {
  readonly audit: number | undefined
  readonly storage: number
  readonly card: Output<'audits/get_card'> | undefined
}

export function CountList({ audit, storage, card }: Props) {
  const navigate = useNavigate()
  const saver = useCountSaver(audit, storage, (id) => void navigate(`/audits/count/${id}`, { replace: true }))
  const view = useView()
  /** Found here without recorded stock. */
  const [extra, setExtra] = useState<readonly Found[]>([])
  const focus = useFieldFocus()
  const sheet = useSheet({ storage, card, view, extra, saver })
  const latestItems = useRef(sheet.items)
  latestItems.current = sheet.items

  const latest = useRef(saver.put)
  latest.current = saver.put
  const { recent } = view
  const count = useCallback(
    (item: Pick<SheetItem, 'id' | 'type'>, counted: number) => {
      recent.current.add(item.id)
      latest.current({ id: item.id, type: item.type, counted })
    },
    [recent],
  )
  /** Adds one to the count of the item and returns what to show, or else focuses the field of the item. */
  const take = (hit: Found): string | undefined => {
    view.setTyped('')
    setExtra((former) => (former.some(({ id }) => id === hit.id) ? former : [...former, hit]))
    recent.current.add(hit.id)
    if (!view.scanAdds) {
      focus.show(hit.id)
      return undefined
    }
    const counted = (saver.waitingOf(hit.id) ?? latestItems.current.get(hit.id)?.counted ?? 0) + 1
    count({ id: hit.id, type: hit.kind as 'product' | 'material' }, counted)
    return texts.added(hit.name, quantity(counted, hit.unit))
  }
  const { scan, onCode } = scansOf(view, take)

  const { levels, known, shown } = sheet
  if (levels.data === undefined) return <Waiting query={levels} rows={10} />
  return (
    <>
      <div className={classes['top']}>
        <ScanField view={view} field={focus.scanner} scan={scan} onCode={onCode} />
        <CountProgress audit={audit} known={known} isSaving={saver.isSaving} />
        {saver.error !== undefined && (
          <Alert color="red" variant="outline" role="alert" title={texts.failed(saver.error)} />
        )}
        <ViewOptions view={view} />
      </div>
      {shown.length === 0 ? (
        <Nothing view={view} isEmpty={known.length === 0} />
      ) : (
        <ul className={classes['rows']} ref={focus.list}>
          {shown.map((item) => (
            <CountRow key={item.id} item={item} showBooks={view.showBooks} onCount={count} onNext={focus.next} />
          ))}
        </ul>
      )}
      {levels.data.total > maxRows && (
        <Text size="sm" c="dimmed" mt="xs">
          {texts.all}
        </Text>
      )}
    </>
  )
}

/** Codes from a scanner that types, and from the camera. `take` returns what to show, or nothing if it focuses a field. */
const scansOf = (view: View, take: (hit: Found) => string | undefined) => ({
  scan: async (): Promise<void> => {
    const hit = await findScanned(view.typed.trim())
    const added = hit && take(hit)
    if (added !== undefined) notify(added)
  },
  onCode: async (code: string): Promise<Scanned> => {
    const hit = await findByCode(code, [{ kinds: ['product', 'material'] }])
    if (hit === undefined) return { is: 'unknown' }
    const added = take(hit)
    return added === undefined ? { is: 'done' } : { is: 'taken', text: added }
  },
})

type SheetOf = {
  readonly storage: number
  readonly card: Props['card']
  readonly view: View
  readonly extra: readonly Found[]
  readonly saver: CountSaver
}

/** The items of the sheet, and those that the current view shows. */
function useSheet({ storage, card, view, extra, saver }: SheetOf) {
  const { cut, search, typed, recent } = view
  const levels = useMethod('stock/browse', { by: 'storage', storage_id: storage, limit: maxRows, sort: 'name' })
  const found = useMethod(
    'items/search',
    { search, kinds: ['product', 'material'], storage_id: storage, limit: 30 },
    { enabled: search !== '', keep: true },
  )
  const items = useSheetItems(levels.data?.stock, card, extra, found.data?.items, saver.pending)
  const known = [...items.values()].filter((item) => item.isListed)
  const isInCut = ({ id, counted }: SheetItem): boolean =>
    cut === 'all' || (cut === 'counted') === (counted !== undefined && !(cut === 'open' && recent.current.has(id)))
  const shown =
    search !== '' && typed.trim() !== ''
      ? (found.data?.items ?? []).flatMap(({ id }) => items.get(id) ?? [])
      : known.filter(isInCut)
  return { levels, items, known, shown }
}

/** Moves the focus between the fields of the sheet. */
function useFieldFocus() {
  const list = useRef<HTMLUListElement>(null)
  const scanner = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState<number>()
  // Focus the field of the item just found.
  useEffect(() => {
    if (wanted === undefined) return
    const field = list.current?.querySelector<HTMLInputElement>(`[data-item="${wanted}"] input`)
    if (!field) return
    field.scrollIntoView({ block: 'center' })
    field.focus()
    setWanted(undefined)
  })
  const next = useCallback((id: number) => {
    const fields = [...(list.current?.querySelectorAll<HTMLInputElement>('li input') ?? [])]
    const at = fields.findIndex((field) => field.closest(`[data-item="${id}"]`) !== null)
    ;(fields[at + 1] ?? scanner.current)?.focus()
  }, [])
  return { list, scanner, next, show: setWanted }
}

/** The item with this code, or the only match. */
async function findScanned(code: string): Promise<Found | undefined> {
  if (code === '') return undefined
  const { items: hits } = await call('items/search', { search: code, kinds: ['product', 'material'], limit: 10 })
  if (hits.length === 0) notifyError(new Error(texts.nothing(code)))
  return hits.find((one) => hasCode(one, code)) ?? (hits.length === 1 ? hits[0] : undefined)
}
