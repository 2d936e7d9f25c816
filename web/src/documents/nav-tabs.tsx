// Links between related lists in a row; the current one is highlighted.

import { Link, useLocation } from 'react-router'
import { withJumpKeys } from '../frame/jump-keys.ts'
import { useSelectedInView } from '../kit/selected-in-view.ts'
import classes from './nav-tabs.module.css'

type Place = { readonly label: string; readonly to: string }

export function NavTabs({ label, places }: { label: string; places: readonly Place[] }) {
  const { pathname } = useLocation()
  const row = useSelectedInView<HTMLElement>(pathname)
  return (
    <nav ref={row} aria-label={label} className={classes['places']}>
      {places.map((place) => (
        <Link
          key={place.to}
          to={place.to}
          className={classes['place']}
          title={withJumpKeys(place.label, place.to)}
          aria-current={pathname === place.to ? 'page' : undefined}
        >
          {place.label}
        </Link>
      ))}
    </nav>
  )
}
