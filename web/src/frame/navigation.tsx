// The navigation: left of the page, or at the bottom on a phone.

import { Badge, Box, Drawer, NavLink, Stack, Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBox,
  IconBuildingFactory2,
  IconBuildingWarehouse,
  IconDots,
  IconLayoutDashboard,
  IconReceipt,
  IconSettings,
  IconShoppingCart,
  IconStack2,
  IconTool,
  IconTruckDelivery,
  IconUsers,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import classes from './frame.module.css'

const { nav } = messages.frame

/** Documents that are reached from the stock pages. */
export const placesBelow = [
  { label: messages.stock.transfers.title, to: '/transfers' },
  { label: messages.stock.writeoffs.title, to: '/write-offs' },
  { label: messages.audits.title, to: '/audits' },
] as const

export const places = [
  { label: nav.dashboard, to: '/', icon: IconLayoutDashboard, onPhone: true },
  { label: nav.sales, to: '/sales', icon: IconReceipt, onPhone: true, counter: 'toShip' },
  { label: nav.toFix, to: '/to-fix', icon: IconAlertTriangle, counter: 'toFix' },
  { label: nav.production, to: '/productions', icon: IconBuildingFactory2, onPhone: true },
  { label: nav.purchases, to: '/purchases', icon: IconShoppingCart },
  {
    label: nav.stock,
    to: '/stock',
    icon: IconBuildingWarehouse,
    onPhone: true,
    counter: 'low',
    also: placesBelow.map(({ to }) => to),
  },
  { label: nav.products, to: '/products', icon: IconBox },
  { label: nav.materials, to: '/materials', icon: IconStack2 },
  { label: nav.resources, to: '/resources', icon: IconTool },
  { label: nav.customers, to: '/customers', icon: IconUsers },
  { label: nav.suppliers, to: '/suppliers', icon: IconTruckDelivery },
  { label: nav.settings, to: '/settings', icon: IconSettings },
] as const satisfies readonly Place[]

type CounterName = 'toShip' | 'low' | 'toFix'

type Place = {
  label: string
  to: string
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
  const low = useMethod('stock/browse', { only: 'low', by: 'item', limit: 1 }, reading)
  const toFix = useMethod('skipped_lines/get_list', { limit: 1 }, { ...reading, enabled: useMay('manager') })
  return { toShip: sales.data?.counts?.to_ship ?? 0, low: low.data?.total ?? 0, toFix: toFix.data?.total ?? 0 }
}

function Counter({ of, number }: { of: CounterName; number: number }) {
  const label = messages.frame[of](number)
  return (
    <Badge size="sm" variant="default" title={label} className={classes['counter']}>
      {number > 999 ? '999+' : number}
    </Badge>
  )
}

/** There is usually nothing to fix; then it is not shown. */
const placesWith = (counters: Record<CounterName, number>, path: string): Place[] =>
  places.filter((place: Place) => place.counter !== 'toFix' || counters.toFix > 0 || isHere(path, place))

export function Navigation({ isCollapsed, onGo }: { isCollapsed: boolean; onGo?: () => void }) {
  const { pathname } = useLocation()
  const counters = useCounters()
  return (
    <Stack gap={2} component="nav" aria-label={messages.frame.navigation}>
      {placesWith(counters, pathname).map((place) => {
        const { label, to, icon: Icon, counter } = place
        const number = counter === undefined ? 0 : counters[counter]
        return (
          <Tooltip key={to} label={label} position="right" disabled={!isCollapsed}>
            <NavLink
              component={Link}
              to={to}
              {...(onGo ? { onClick: onGo } : {})}
              active={isHere(pathname, place)}
              aria-current={isHere(pathname, place) ? 'page' : undefined}
              {...(isCollapsed ? { 'aria-label': label } : {})}
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
      })}
    </Stack>
  )
}

export function PhoneBar() {
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Box component="nav" aria-label={messages.frame.navigation} className={classes['phoneBar']}>
        {places
          .filter((place: Place) => place.onPhone)
          .map((place: Place) => (
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
        title={messages.frame.product}
        closeButtonProps={{ 'aria-label': messages.frame.close }}
      >
        <Navigation isCollapsed={false} onGo={() => setOpen(false)} />
      </Drawer>
    </>
  )
}
