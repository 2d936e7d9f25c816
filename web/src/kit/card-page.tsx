// The page of one record: head with status and actions, body, side, tabs. The usual next step comes first, the rest is in a menu.

import { Group, Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Refusal } from '../server/call.ts'
import { useMay } from '../session.tsx'
import { type Action, ActionButton } from './action.tsx'
import classes from './card-page.module.css'
import { type Figure, Figures } from './figures.tsx'
import { LoadError } from './load-error.tsx'
import { MoreMenu } from './more-menu.tsx'
import { type Crumb, usePage } from './page.tsx'
import { PageTitles } from './page-titles.tsx'
import { usePhone } from './phone.ts'
import type { Printable } from './print-address.ts'
import { PrintMenu } from './print-menu.tsx'
import { useSelectedInView } from './selected-in-view.ts'
import { PageSkeleton } from './skeletons.tsx'

export type CardTab = {
  readonly name: string
  readonly label: string
  readonly count?: number | undefined
  /** The least role that sees it; everyone unless it is given. */
  readonly role?: 'manager'
  readonly show: () => ReactNode
}

type CardProps = {
  readonly title: string
  /** The title of the browser tab, where it is longer than the page title. */
  readonly tabTitle?: string
  readonly crumbs: readonly Crumb[]
  /** Status badges next to the title. */
  readonly badges?: ReactNode
  /** Key facts such as party, date and total. */
  readonly facts?: readonly ReactNode[]
  /** Buttons in the head, the usual next step first. */
  readonly actions?: readonly Action[]
  /** All other actions, in the overflow menu. */
  readonly menu?: readonly Action[]
  /** What can be printed. */
  readonly prints?: readonly Printable[]
  /** Replaces the actions while there are unsaved changes. */
  readonly saveBar?: ReactNode
  /** Headline figures, in one row below the head. */
  readonly figures?: readonly Figure[]
  readonly children: ReactNode
  readonly side?: ReactNode
  /** The side comes first when there is no room next to the body: its fields are filled in before the rest. */
  readonly isSideFirst?: boolean
  readonly tabs?: readonly CardTab[]
}

/** Replaces a card that is loading or could not be loaded. */
export function CardWaiting({
  title,
  crumbs,
  error,
  again,
}: {
  title: string
  crumbs: readonly Crumb[]
  error: unknown
  again: () => void
}) {
  usePage({ title, crumbs })
  if (!error) return <PageSkeleton />
  // Retrying does not help when the record does not exist.
  const isMissing = error instanceof Refusal && error.status >= 400 && error.status < 500
  const above = crumbs.findLast(({ to }) => to !== undefined)
  return isMissing && above?.to ? (
    <LoadError error={error} back={{ label: above.label, to: above.to }} />
  ) : (
    <LoadError error={error} again={again} />
  )
}

export function CardPage(card: CardProps) {
  const { title, tabTitle, crumbs, figures = [], children, side, isSideFirst = false, tabs = [] } = card
  usePage({ title, tabTitle, crumbs })
  const aside = side !== undefined && <aside className={classes['side']}>{side}</aside>
  return (
    <div className={classes['page']}>
      <Head {...card} />
      {figures.length > 0 && (
        <div className={classes['figures']}>
          <Figures figures={figures} />
        </div>
      )}
      <div className={classes['body']} data-plain={side === undefined || undefined}>
        {isSideFirst && aside}
        <div className={classes['main']}>{children}</div>
        {!isSideFirst && aside}
      </div>
      {tabs.length > 0 && <CardTabs tabs={tabs} />}
    </div>
  )
}

/** As many as fit beside each other at the bottom of a phone, in every language. */
const onPhone = 2

function Head({ title, badges, facts = [], actions = [], menu = [], prints = [], saveBar }: CardProps) {
  const isPhone = usePhone()
  const shown = isPhone ? onPhone : actions.length
  const titles = <PageTitles title={title} badges={badges} facts={facts} className={classes['titles']} />
  // A menu alone stays beside the title on a phone, too.
  if (!saveBar && actions.length === 0)
    return (
      <header className={classes['head']} data-short>
        {titles}
        <PrintMenu prints={prints} />
        <MoreMenu menu={menu} />
      </header>
    )
  return (
    <header className={classes['head']} data-sticky={Boolean(saveBar) || undefined}>
      {titles}
      <Group gap="xs" className={classes['actions'] ?? ''} data-bottom-bar>
        {saveBar ||
          actions
            .slice(0, shown)
            .map((action, at) => (
              <ActionButton key={action.label} action={action} isPrimary={at === 0 && action.isReturn !== true} />
            ))}
        {!isPhone && <PrintMenu prints={prints} />}
        <MoreMenu menu={[...actions.slice(shown), ...menu]} prints={isPhone ? prints : []} />
      </Group>
    </header>
  )
}

/** The selected tab is part of the address; without it the first tab is shown. */
export function CardTabs({ tabs: all }: { tabs: readonly CardTab[] }) {
  const isManager = useMay('manager')
  const tabs = all.filter(({ role }) => role === undefined || isManager)
  const [params, setParams] = useSearchParams()
  const first = tabs[0]?.name
  const tab = tabs.find(({ name }) => name === params.get('tab'))?.name ?? first ?? null
  const row = useSelectedInView<HTMLDivElement>(tab)
  const choose = (name: string | null): void =>
    setParams(
      (former) => {
        const next = new URLSearchParams(former)
        if (name === first || name === null) next.delete('tab')
        else next.set('tab', name)
        return next
      },
      { replace: true },
    )
  return (
    <Tabs value={tab} className={classes['tabs'] ?? ''} onChange={choose}>
      <Tabs.List ref={row} className={classes['names'] ?? ''}>
        {tabs.map(({ name, label, count }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
            {count ? <span className={classes['count']}> {count}</span> : null}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, show }) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          {show()}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
