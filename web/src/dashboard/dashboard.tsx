// Home: what is to do today in one sentence, the first steps of a new company, four figures, revenue by day, and the lists that lead to work.
// Workers see no money.

import { Skeleton, Title } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { longDay } from '../format.ts'
import { LoadError } from '../kit/load-error.tsx'
import { usePage } from '../kit/page.tsx'
import { CurrentPageAction } from '../kit/page-action.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useMay, useSeesMoney, useSession } from '../session.tsx'
import classes from './dashboard.module.css'
import { type Dashboard, pairsOf } from './days.ts'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import { Revenue } from './revenue.tsx'
import { Tiles } from './tiles.tsx'
import { ToBuy, ToMake, ToShip, useToMake } from './work.tsx'

const texts = messages.dashboard

export function Component() {
  const mayWrite = useMay('manager')
  usePage({ title: texts.title, ...(mayWrite ? { action: { label: texts.newSale, to: '/sales/new' } } : {}) })
  const dashboard = useMethod('dashboard/get', {}, { everyMs: 60_000 })
  const firstSteps = useFirstSteps()
  if (dashboard.data === undefined && dashboard.error)
    return <LoadError error={dashboard.error} again={() => void dashboard.refetch()} />
  return (
    <div className={classes['page']}>
      <Head data={dashboard.data} />
      {firstSteps.shown && <FirstSteps shown={firstSteps.shown} />}
      {/* A company without sales has no figures yet. */}
      {firstSteps.shown?.hasSales === false ? null : dashboard.data === undefined || firstSteps.isWaiting ? (
        <Waiting />
      ) : (
        <Content data={dashboard.data} />
      )}
    </div>
  )
}

function Content({ data }: { data: Dashboard }) {
  // A response cached before the user's role was raised contains no money.
  const seesMoney = useSeesMoney() && 'stock_total_cost' in data
  const pairs = pairsOf(data.days)
  return (
    <>
      <Tiles data={data} pairs={pairs} seesMoney={seesMoney} />
      <div className={classes['panels']}>
        {seesMoney && <Revenue pairs={pairs} />}
        <ToShip toShip={data.to_ship} />
        <ToMake />
        <ToBuy low={data.low} />
      </div>
    </>
  )
}

/** The places of what is loading, so that nothing jumps. */
function Waiting() {
  return (
    <div role="status" aria-label={messages.frame.loading} className={classes['page']}>
      <Skeleton height={97} radius="md" />
      <div className={classes['panels']}>
        <Skeleton height={340} radius="md" className={classes['wideSkeleton'] ?? ''} />
        <Skeleton height={340} radius="md" />
      </div>
    </div>
  )
}

function Head({ data }: { data: Dashboard | undefined }) {
  const { user, today } = useSession()
  const name = user.name.trim().split(/\s+/)[0] ?? user.name
  return (
    <header className={classes['head']}>
      <div>
        <Title order={1}>{texts.greeting[partOfDay(new Date().getHours())](name)}</Title>
        <p className={classes['today']}>
          {longDay(today)}
          {data !== undefined && <Today data={data} />}
        </p>
      </div>
      <CurrentPageAction />
    </header>
  )
}

const partOfDay = (hour: number): keyof typeof texts.greeting =>
  hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'

/** What waits, in one sentence; each part leads to its list. */
function Today({ data }: { data: Dashboard }) {
  const toMake = useToMake().data?.counts.open ?? 0
  const parts: readonly (readonly [number, (n: number) => string, string])[] = [
    [data.to_ship.count, texts.today.toShip, '/sales?cut=to_ship'],
    [toMake, texts.today.toMake, '/productions'],
    [data.low_count, texts.today.low, '/stock?cut=low&by=item'],
    [data.negative_count, texts.today.negative, '/stock?cut=negative'],
  ]
  const shown: ReactNode[] = parts
    .filter(([n]) => n > 0)
    .map(([n, text, to]) => (
      <Link key={to} to={to}>
        {text(n)}
      </Link>
    ))
  if (shown.length === 0) return <> · {texts.today.nothing}</>
  return (
    <>
      {' · '}
      {shown.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order
        <Fragment key={at}>
          {at > 0 && ', '}
          {part}
        </Fragment>
      ))}
    </>
  )
}
