// The frame of the settings: its places at the side, or in a row above on a narrow screen, and what a role may open.

import { Alert, NavLink } from '@mantine/core'
import {
  IconApi,
  IconBook2,
  IconBuilding,
  IconBuildingWarehouse,
  IconListDetails,
  IconRuler2,
  IconSitemap,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { useMay } from '../session.tsx'
import { words } from '../words.ts'
import classes from './settings.module.css'

const said = words.settings.places

const places = [
  { to: '/settings', label: said.company, icon: IconBuilding, least: 'worker' },
  { to: '/settings/integrations', label: said.integrations, icon: IconApi, least: 'owner' },
  { to: '/settings/requests', label: said.requests, icon: IconListDetails, least: 'manager' },
  { to: '/settings/reference', label: said.reference, icon: IconBook2, least: 'manager' },
  { to: '/settings/units', label: said.units, icon: IconRuler2, least: 'manager' },
  { to: '/settings/categories', label: said.categories, icon: IconSitemap, least: 'manager' },
  { to: '/settings/storages', label: said.storages, icon: IconBuildingWarehouse, least: 'manager' },
  { to: '/settings/users', label: said.users, icon: IconUsers, least: 'owner' },
  { to: '/settings/profile', label: said.profile, icon: IconUser, least: 'worker' },
] as const

const isHere = (path: string, to: string): boolean =>
  path === to || (to !== '/settings' && path.startsWith(`${to}/`)) || (to === '/settings' && path === '/settings/')

export function Component() {
  const { pathname } = useLocation()
  const may = { worker: useMay('worker'), manager: useMay('manager'), owner: useMay('owner') }
  const nav = useRef<HTMLElement>(null)
  // In a row that scrolls, where one is must be in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place moves the row
  useEffect(() => {
    const place = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (place && nav.current) nav.current.scrollLeft = place.offsetLeft - nav.current.offsetLeft - 24
  }, [pathname])
  const here = places.find(({ to }) => isHere(pathname, to))
  return (
    <div className={classes['settings']}>
      <nav ref={nav} aria-label={words.settings.title} className={classes['places']}>
        {places
          .filter(({ least }) => may[least])
          .map(({ to, label, icon: Icon }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              active={isHere(pathname, to)}
              aria-current={isHere(pathname, to) ? 'page' : undefined}
              leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
              className={classes['place']}
            />
          ))}
      </nav>
      <div className={classes['content']}>
        {here === undefined || may[here.least] ? (
          <Outlet />
        ) : (
          <Alert color="gray" variant="outline" role="alert" title={words.settings.notAllowed} />
        )}
      </div>
    </div>
  )
}
