// The page of one record: head with state and actions, body, side, tabs. The usual next step stands first, the rest in a menu.

import { ActionIcon, Badge, Group, Menu, Tabs, Title } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { type Crumb, usePage } from '../frame/page.tsx'
import { Refusal } from '../server/call.ts'
import { words } from '../words.ts'
import { type Action, ActionButton, ActionItem } from './action.tsx'
import classes from './card-page.module.css'
import { Skeletons } from './skeletons.tsx'
import { Trouble } from './trouble.tsx'

export type CardTab = {
  readonly name: string
  readonly label: string
  readonly count?: number | undefined
  readonly show: () => ReactNode
}

type CardProps = {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** State badges beside the title. */
  readonly badges?: ReactNode
  /** Party, date, total: what one wants to know first. */
  readonly facts?: readonly ReactNode[]
  /** Buttons in the head, the usual next step first. */
  readonly actions?: readonly Action[]
  /** Everything else, behind the dots. */
  readonly menu?: readonly Action[]
  /** In place of the actions while something is unsaved. */
  readonly saveBar?: ReactNode
  readonly children: ReactNode
  readonly side?: ReactNode
  /** The side comes first where it does not fit beside: what is asked there comes before the rest. */
  readonly isSideFirst?: boolean
  readonly tabs?: readonly CardTab[]
}

/** In place of a card that loads or could not be loaded. */
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
  if (!error) return <Skeletons rows={12} />
  // Asking again does not bring back what is not there.
  const isMissing = error instanceof Refusal && error.status >= 400 && error.status < 500
  const above = crumbs.findLast(({ to }) => to !== undefined)
  return isMissing && above?.to ? (
    <Trouble error={error} back={{ label: above.label, to: above.to }} />
  ) : (
    <Trouble error={error} again={again} />
  )
}

export function CardPage({
  title,
  crumbs,
  badges,
  facts = [],
  actions = [],
  menu = [],
  saveBar,
  children,
  side,
  isSideFirst = false,
  tabs = [],
}: CardProps) {
  usePage({ title, crumbs })
  const [params, setParams] = useSearchParams()
  const first = tabs[0]?.name
  const tab = tabs.find(({ name }) => name === params.get('tab'))?.name ?? first
  const aside = side !== undefined && <aside className={classes['side']}>{side}</aside>
  return (
    <div className={classes['page']}>
      <header className={classes['head']} data-sticky={Boolean(saveBar) || undefined}>
        <div className={classes['titles']}>
          <div className={classes['title']}>
            <Title order={1}>{title}</Title>
            {badges}
          </div>
          {facts.length > 0 && (
            <div className={classes['facts']}>
              {facts.map((fact, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: facts keep their order
                <span key={at}>{fact}</span>
              ))}
            </div>
          )}
        </div>
        <Group gap="xs">
          {saveBar ||
            actions.map((action, at) => <ActionButton key={action.label} action={action} isPrimary={at === 0} />)}
          {menu.length > 0 && (
            <Menu>
              <Menu.Target>
                <ActionIcon aria-label={words.kit.card.more} variant="default">
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {menu.map((action) => (
                  <ActionItem key={action.label} action={action} />
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      </header>
      <div className={classes['body']} data-plain={side === undefined || undefined}>
        {isSideFirst && aside}
        <div className={classes['main']}>{children}</div>
        {!isSideFirst && aside}
      </div>
      {tab !== undefined && (
        <Tabs
          value={tab}
          className={classes['tabs'] ?? ''}
          onChange={(name) =>
            setParams(
              (former) => {
                const next = new URLSearchParams(former)
                if (name === first || name === null) next.delete('tab')
                else next.set('tab', name)
                return next
              },
              { replace: true },
            )
          }
        >
          <Tabs.List className={classes['names'] ?? ''}>
            {tabs.map(({ name, label, count }) => (
              <Tabs.Tab
                key={name}
                value={name}
                rightSection={
                  count ? (
                    <Badge size="xs" variant="default">
                      {count}
                    </Badge>
                  ) : undefined
                }
              >
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map(({ name, show }) => (
            <Tabs.Panel key={name} value={name} pt="sm">
              {show()}
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </div>
  )
}
