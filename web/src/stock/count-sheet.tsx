// The count sheet: what the books have at a storage location, counted one by one or scanned, saved as one goes. A new one becomes an audit
// with its first count. Long because what is typed, scanned and shown is one state.

import {
  Alert,
  Anchor,
  Button,
  Progress,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks'
import { IconBarcode } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { choicesOf } from '../documents/states.tsx'
import { quantity } from '../format.ts'
import { usePage } from '../frame/page.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { failed, told } from '../kit/told.tsx'
import { Trouble } from '../kit/trouble.tsx'
import { call, type Output } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import { type Found, useSheetItems } from './count-items.ts'
import { CountRow, type SheetItem } from './count-row.tsx'
import { useCountSaver } from './count-saver.ts'
import classes from './count-sheet.module.css'

const said = words.audits.sheet
const mostRows = 1000
type Cut = keyof typeof said.cuts

export function Component() {
  const { id } = useParams()
  const audit = id === undefined ? undefined : Number(id)
  const [params, setParams] = useSearchParams()
  const card = useMethod('audits/get_card', { audit_id: audit ?? 0 }, { enabled: audit !== undefined, keep: true })
  const storages = useMethod('storages/get_list', {}, { staleMs: 60_000 })
  const only = storages.data?.storages.length === 1 ? storages.data.storages[0]?.id : undefined
  const storage = card.data?.audit.storage_id ?? (Number(params.get('storage_id')) || only) ?? null
  const place = storages.data?.storages.find((one) => one.id === storage)?.name
  usePage({
    title: place ? said.title(place) : said.new,
    crumbs: [
      { label: words.stock.title, to: '/stock' },
      { label: words.audits.title, to: '/audits' },
    ],
  })
  if (card.error) return <Trouble error={card.error} again={() => void card.refetch()} />
  if (storages.data === undefined || (audit !== undefined && card.data === undefined)) return <Skeletons rows={10} />
  return (
    <div className={classes['sheet']}>
      <Title order={1}>{place ? said.title(place) : said.new}</Title>
      {audit === undefined && (
        <Select
          mt="sm"
          size="md"
          label={said.choose}
          description={said.begin}
          allowDeselect={false}
          data={storages.data.storages.map((one) => ({ value: String(one.id), label: one.name }))}
          value={storage === null ? null : String(storage)}
          onChange={(value) => setParams(value ? { storage_id: value } : {}, { replace: true })}
        />
      )}
      {card.data && card.data.audit.status !== 0 ? (
        <Alert mt="sm" color="yellow" variant="outline" title={said.closed}>
          <Anchor component={Link} to={`/audits/${audit}`}>
            {words.audits.one(card.data.audit.num)}
          </Anchor>
        </Alert>
      ) : (
        storage !== null && <Sheet audit={audit} storage={storage} card={card.data} />
      )}
    </div>
  )
}

type SheetProps = {
  readonly audit: number | undefined
  readonly storage: number
  readonly card: Output<'audits/get_card'> | undefined
}

function Sheet({ audit, storage, card }: SheetProps) {
  const navigate = useNavigate()
  const saver = useCountSaver(audit, storage, (id) => void navigate(`/audits/count/${id}`, { replace: true }))
  const [cut, setCut] = useState<Cut>('open')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 150)
  const [scanAdds, setScanAdds] = useLocalStorage({ key: 'kontor-count-scan-adds', defaultValue: false })
  const [showBooks, setShowBooks] = useLocalStorage({ key: 'kontor-count-books', defaultValue: false })
  /** Found here though the books know nothing of it. */
  const [extra, setExtra] = useState<readonly Found[]>([])
  /** Counted in this visit: they stay where they are until another part of the sheet is shown. */
  const recent = useRef(new Set<number>())
  const list = useRef<HTMLUListElement>(null)
  const scanner = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState<number>()

  const levels = useMethod('stock/browse', { by: 'storage', storage_id: storage, limit: mostRows, sort: 'name' })
  const found = useMethod(
    'items/search',
    { search, kinds: ['product', 'material'], storage_id: storage, limit: 30 },
    { enabled: search !== '', keep: true },
  )
  const items = useSheetItems(levels.data?.stock, card, extra, found.data?.items, saver.pending)
  const latestItems = useRef(items)
  latestItems.current = items
  const known = [...items.values()].filter((item) => item.isListed)
  const done = known.filter(({ counted }) => counted !== undefined).length
  const shown =
    search !== '' && typed.trim() !== ''
      ? (found.data?.items ?? []).flatMap(({ id }) => items.get(id) ?? [])
      : known.filter(
          ({ id, counted }) =>
            cut === 'all' ||
            (cut === 'counted') === (counted !== undefined && !(cut === 'open' && recent.current.has(id))),
        )

  const latest = useRef(saver.put)
  latest.current = saver.put
  const count = useCallback((item: Pick<SheetItem, 'id' | 'type'>, counted: number) => {
    recent.current.add(item.id)
    latest.current({ id: item.id, type: item.type, counted })
  }, [])
  const next = useCallback((id: number) => {
    const fields = [...(list.current?.querySelectorAll<HTMLInputElement>('li input') ?? [])]
    const at = fields.findIndex((field) => field.closest(`[data-item="${id}"]`) !== null)
    ;(fields[at + 1] ?? scanner.current)?.focus()
  }, [])

  // The field of what was just found is where the number goes.
  useEffect(() => {
    if (wanted === undefined) return
    const field = list.current?.querySelector<HTMLInputElement>(`[data-item="${wanted}"] input`)
    if (!field) return
    field.scrollIntoView({ block: 'center' })
    field.focus()
    setWanted(undefined)
  })

  const scan = async (): Promise<void> => {
    const code = typed.trim()
    if (code === '') return
    const { items: hits } = await call('items/search', { search: code, kinds: ['product', 'material'], limit: 10 })
    const isExact = ({ sku, matched }: Found): boolean =>
      [sku, matched].some((one) => one?.toLowerCase() === code.toLowerCase())
    const hit = hits.find(isExact) ?? (hits.length === 1 ? hits[0] : undefined)
    if (hit === undefined) {
      if (hits.length === 0) failed(new Error(said.nothing(code)))
      return
    }
    setTyped('')
    setExtra((former) => (former.some(({ id }) => id === hit.id) ? former : [...former, hit]))
    recent.current.add(hit.id)
    if (scanAdds) {
      const counted = (saver.waitingOf(hit.id) ?? latestItems.current.get(hit.id)?.counted ?? 0) + 1
      count({ id: hit.id, type: hit.kind as 'product' | 'material' }, counted)
      told(said.added(hit.name, quantity(counted, hit.unit)))
    } else setWanted(hit.id)
  }

  if (levels.data === undefined)
    return levels.error ? <Trouble error={levels.error} again={() => void levels.refetch()} /> : <Skeletons rows={10} />
  return (
    <>
      <div className={classes['top']}>
        <TextInput
          ref={scanner}
          className={classes['search'] ?? ''}
          value={typed}
          placeholder={said.search}
          aria-label={said.search}
          leftSection={<IconBarcode size={20} aria-hidden />}
          enterKeyHint="search"
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void scan().catch(failed)
          }}
        />
        <Stack gap={4}>
          <Progress
            value={known.length === 0 ? 0 : (done / known.length) * 100}
            aria-label={said.progress(done, known.length)}
          />
          <div className={classes['options']}>
            <Text size="sm" role="status">
              {said.progress(done, known.length)}
              {saver.isSaving && ` · ${said.saving}`}
            </Text>
            {audit !== undefined && (
              <Button component={Link} to={`/audits/${audit}`} title={said.reviewHint}>
                {said.review}
              </Button>
            )}
          </div>
        </Stack>
        {saver.error !== undefined && (
          <Alert color="red" variant="outline" role="alert" title={said.failed(saver.error)} />
        )}
        <div className={classes['options']}>
          <SegmentedControl
            size="xs"
            value={cut}
            onChange={(to) => {
              recent.current.clear()
              setCut(to as Cut)
            }}
            data={choicesOf(said.cuts)}
          />
          <Switch
            size="xs"
            label={said.scanAdds}
            checked={scanAdds}
            onChange={(event) => setScanAdds(event.currentTarget.checked)}
          />
          <Switch
            size="xs"
            label={said.showBooks}
            checked={showBooks}
            onChange={(event) => setShowBooks(event.currentTarget.checked)}
          />
        </div>
      </div>
      {shown.length === 0 ? (
        <Text c="dimmed" py="md">
          {search !== ''
            ? said.nothing(search)
            : known.length === 0
              ? said.none
              : cut === 'counted'
                ? said.noneCounted
                : said.noneOpen}
        </Text>
      ) : (
        <ul className={classes['rows']} ref={list}>
          {shown.map((item) => (
            <CountRow key={item.id} item={item} showBooks={showBooks} onCount={count} onNext={next} />
          ))}
        </ul>
      )}
      {levels.data.total > mostRows && (
        <Text size="sm" c="dimmed" mt="xs">
          {said.all}
        </Text>
      )}
    </>
  )
}
