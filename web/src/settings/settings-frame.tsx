// The frame of the settings: its pages at the side, or in a row above on a narrow screen, as far as the role may open them.

import { Alert, NavLink } from '@mantine/core'
import { Link, Outlet, useLocation } from 'react-router'
import { useSelectedInView } from '../kit/selected-in-view.ts'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import { settingsPages as places } from './pages.ts'
import classes from './settings.module.css'

const isHere = (path: string, to: string): boolean =>
  path === to || (to !== '/settings' && path.startsWith(`${to}/`)) || (to === '/settings' && path === '/settings/')

export function Component() {
  const { pathname } = useLocation()
  const may = { worker: useMay('worker'), manager: useMay('manager'), owner: useMay('owner') }
  const nav = useSelectedInView<HTMLElement>(pathname)
  const here = places.find(({ to }) => isHere(pathname, to))
  return (
    <div className={classes['settings']}>
      <nav ref={nav} aria-label={messages.settings.title} className={classes['places']}>
        {places
          .filter(({ least }) => may[least])
          .map(({ to, label, icon: Icon, ...page }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              active={isHere(pathname, to)}
              aria-current={isHere(pathname, to) ? 'page' : undefined}
              leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
              className={classes['place']}
              data-technical={'isTechnical' in page || undefined}
            />
          ))}
      </nav>
      <div className={classes['content']}>
        {here === undefined || may[here.least] ? (
          <Outlet />
        ) : (
          <Alert color="gray" variant="outline" role="alert" title={messages.settings.notAllowed} />
        )}
      </div>
    </div>
  )
}
