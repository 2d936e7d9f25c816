// The navigation: left of the page, or at the bottom on a phone.

import { Box, Drawer, NavLink, Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconAlertSquare,
  IconBox,
  IconBuildingFactory2,
  IconDots,
  IconHome,
  IconLayoutGrid,
  IconReceipt,
  IconSettings,
  IconShoppingCart,
  IconUser,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Jump } from '../kit/keys.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { CompanyMenu } from './company-menu.tsx'
import { type JumpAddress, jumpKeys, withJumpKeys } from './jump-keys.ts'
import classes from './navigation.module.css'

const { nav } = messages.frame

/** Pages that are reached by the tabs of a place. */
const below = {
  sales: [{ label: messages.quotes.title, to: '/quotes' }],
  stock: [
    { label: messages.stock.transfers.title, to: '/transfers' },
    { label: messages.stock.writeoffs.title, to: '/write-offs' },
    { label: messages.audits.title, to: '/audits' },
  ],
  items: [
    { label: nav.products, to: '/products' },
    { label: nav.materials, to: '/materials' },
    { label: nav.resources, to: '/resources' },
  ],
  contacts: [
    { label: nav.customers, to: '/customers' },
    { label: nav.suppliers, to: '/suppliers' },
  ],
} as const

const addresses = (pages: readonly { readonly to: string }[]): string[] => pages.map(({ to }) => to)

const everyday: readonly Place[] = [
  { label: nav.dashboard, to: '/', icon: IconHome, onPhone: true },
  { label: nav.sales, to: '/sales', icon: IconReceipt, onPhone: true, counter: 'toShip', also: addresses(below.sales) },
  { label: nav.production, to: '/productions', icon: IconBuildingFactory2, onPhone: true, counter: 'toMake' },
  { label: nav.purchases, to: '/purchases', icon: IconShoppingCart, counter: 'toReceive' },
  { label: nav.stock, to: '/stock', icon: IconBox, onPhone: true, counter: 'low', also: addresses(below.stock) },
  { label: nav.items, to: '/products', icon: IconLayoutGrid, also: addresses(below.items) },
  { label: nav.contacts, to: '/customers', icon: IconUser, also: addresses(below.contacts) },
]
const toFix: Place = { label: nav.toFix, to: '/to-fix', icon: IconAlertSquare, counter: 'toFix' }
const settings: Place = { label: nav.settings, to: '/settings', icon: IconSettings }

/** Every page that the search can go to. */
export const pages: readonly { readonly label: string; readonly to: JumpAddress }[] = [
  ...everyday.filter(({ to }) => to !== '/products' && to !== '/customers'),
  toFix,
  ...Object.values(below).flat(),
  settings,
]

const ofManagers: readonly string[] = [toFix.to, '/quotes']
export const isForWorkers = ({ to }: { readonly to: string }): boolean => !ofManagers.includes(to)

/** The pages that the user may open, with the letters that open them. */
export function useJumps(): readonly Jump[] {
  const isManager = useMay('manager')
  return pages
    .filter((page) => isManager || isForWorkers(page))
    .map(({ label, to }) => ({ letter: jumpKeys[to], label, to }))
}

type CounterName = 'toShip' | 'toMake' | 'toReceive' | 'low' | 'toFix'

type Place = {
  label: string
  to: JumpAddress
  icon: typeof IconBox
  onPhone?: boolean
  counter?: CounterName
  also?: readonly string[]
}

const isWithin = (path: string, to: string): boolean =>
  to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
const isHere = (path: string, place: Place): boolean =>
  isWithin(path, place.to) || (place.also?.some((to) => isWithin(path, to)) ?? false)

const everyMs = 60_000

/** Counters of records that need action. Refreshed once a minute: they may be stale, and counting is expensive. */
function useCounters(): Record<CounterName, number> {
  const reading = { staleMs: everyMs, everyMs }
  const sales = useMethod('orders/browse', { cut: 'to_ship', limit: 1 }, reading)
  // The response counts every cut; the cut that is read has only rows for which nothing has to be computed.
  const productions = useMethod('productions/browse', { cut: 'done', limit: 1 }, reading)
  const purchases = useMethod('purchases/browse', { cut: 'open', limit: 1 }, reading)
  const low = useMethod('stock/browse', { only: 'low', by: 'item', limit: 1 }, reading)
  const toFix = useMethod('skipped_lines/get_list', { limit: 1 }, { ...reading, enabled: useMay('manager') })
  return {
    toShip: sales.data?.counts?.to_ship ?? 0,
    toMake: productions.data?.counts?.open ?? 0,
    toReceive: purchases.data?.counts?.open ?? 0,
    low: low.data?.total ?? 0,
    toFix: toFix.data?.total ?? 0,
  }
}

function Counter({ of, number }: { of: CounterName; number: number }) {
  return (
    <span title={messages.frame[of](number)} className={classes['counter']} data-wrong={of === 'toFix' || undefined}>
      {number > 999 ? '999+' : number}
    </span>
  )
}

type NavigationProps = { readonly isCollapsed: boolean; readonly onGo?: () => void; readonly foot?: ReactNode }

export function Navigation({ isCollapsed, onGo, foot }: NavigationProps) {
  const { pathname } = useLocation()
  const counters = useCounters()
  const show = (place: Place): ReactNode => (
    <PlaceLink
      key={place.to}
      place={place}
      number={place.counter === undefined ? 0 : counters[place.counter]}
      isCollapsed={isCollapsed}
      onGo={onGo}
    />
  )
  return (
    <nav aria-label={messages.frame.navigation} className={classes['nav']}>
      {everyday.map(show)}
      {/* There is usually nothing to fix; then it is not shown. */}
      {(counters.toFix > 0 || isHere(pathname, toFix)) && (
        <>
          <div className={classes['divider']} />
          {show(toFix)}
        </>
      )}
      <div className={classes['navFoot']} data-collapsed={isCollapsed || undefined}>
        {show(settings)}
        {foot}
      </div>
    </nav>
  )
}

type PlaceProps = {
  readonly place: Place
  readonly number: number
  readonly isCollapsed: boolean
  readonly onGo: (() => void) | undefined
}

function PlaceLink({ place, number, isCollapsed, onGo }: PlaceProps) {
  const { pathname } = useLocation()
  const { label, to, icon: Icon, counter } = place
  return (
    <Tooltip label={withJumpKeys(label, to)} position="right" disabled={!isCollapsed}>
      <NavLink
        component={Link}
        to={to}
        {...(onGo ? { onClick: onGo } : {})}
        active={isHere(pathname, place)}
        aria-current={isHere(pathname, place) ? 'page' : undefined}
        {...(isCollapsed ? { 'aria-label': label } : { title: withJumpKeys(label, to) })}
        label={isCollapsed ? null : label}
        leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
        rightSection={
          counter !== undefined && number > 0 && !isCollapsed ? <Counter of={counter} number={number} /> : null
        }
        className={classes['place']}
        data-collapsed={isCollapsed || undefined}
      />
    </Tooltip>
  )
}

export function PhoneBar() {
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Box component="nav" aria-label={messages.frame.navigation} className={classes['phoneBar']}>
        {everyday
          .filter((place) => place.onPhone)
          .map((place) => (
            <UnstyledButton
              key={place.to}
              component={Link}
              to={place.to}
              className={classes['phonePlace']}
              data-here={isHere(pathname, place) || undefined}
              aria-current={isHere(pathname, place) ? 'page' : undefined}
            >
              <place.icon size={20} stroke={1.6} aria-hidden />
              {place.label}
            </UnstyledButton>
          ))}
        <UnstyledButton className={classes['phonePlace']} onClick={() => setOpen(true)} aria-haspopup="dialog">
          <IconDots size={20} stroke={1.6} aria-hidden />
          {messages.frame.more}
        </UnstyledButton>
      </Box>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        position="bottom"
        size="auto"
        title={<CompanyMenu isCollapsed={false} onGo={() => setOpen(false)} />}
        closeButtonProps={{ 'aria-label': messages.frame.close }}
        classNames={{ content: classes['sheet'] ?? '' }}
      >
        <Navigation isCollapsed={false} onGo={() => setOpen(false)} />
      </Drawer>
    </>
  )
}
