// The page of a count sheet: the storage location, an open count of the same location, and the sheet. A new sheet becomes an
// audit with its first count.

import { Alert, Anchor, Select, Title } from '@mantine/core'
import { Link, useParams, useSearchParams } from 'react-router'
import { day } from '../format.ts'
import { LoadError } from '../kit/load-error.tsx'
import { usePage } from '../kit/page.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { auditStatus } from '../statuses.ts'
import { CountList } from './count-list.tsx'
import classes from './count-sheet.module.css'

const texts = messages.audits.sheet

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
    title: place ? texts.title(place) : texts.new,
    crumbs: [
      { label: messages.stock.title, to: '/stock' },
      { label: messages.audits.title, to: '/audits' },
    ],
  })
  if (card.error) return <LoadError error={card.error} again={() => void card.refetch()} />
  if (storages.data === undefined || (audit !== undefined && card.data === undefined)) return <Skeletons rows={10} />
  return (
    <div className={classes['sheet']}>
      <Title order={1}>{place ? texts.title(place) : texts.new}</Title>
      {audit === undefined && (
        <Select
          mt="sm"
          size="md"
          label={texts.choose}
          description={texts.begin}
          allowDeselect={false}
          data={storages.data.storages.map((one) => ({ value: String(one.id), label: one.name }))}
          value={storage === null ? null : String(storage)}
          onChange={(value) => setParams(value ? { storage_id: value } : {}, { replace: true })}
        />
      )}
      {audit === undefined && storage !== null && <OpenCount storage={storage} />}
      {card.data && card.data.audit.status !== auditStatus.counting ? (
        <Alert mt="sm" color="yellow" variant="outline" title={texts.closed}>
          <Anchor component={Link} to={`/audits/${audit}`}>
            {messages.audits.one(card.data.audit.num)}
          </Anchor>
        </Alert>
      ) : (
        storage !== null && <CountList audit={audit} storage={storage} card={card.data} />
      )}
    </div>
  )
}

/** An unfinished count of the same location: two of them would each post the difference. */
function OpenCount({ storage }: { storage: number }) {
  const open = useMethod('audits/browse', { storage_id: storage, status: [auditStatus.counting], limit: 3 })
  const audits = open.data?.audits ?? []
  if (audits.length === 0) return null
  return (
    <Alert mt="sm" color="yellow" variant="outline" title={texts.openAlready}>
      {audits.map((one) => (
        <Anchor key={one.id} component={Link} to={`/audits/count/${one.id}`} display="block">
          {texts.goOnWith(one.num, day(one.date), one.lines)}
        </Anchor>
      ))}
    </Alert>
  )
}
