// The page of a record to read: name and codes, what to do next, headline figures, tabs, and its details at the side.
// It is edited in a drawer that the button Edit and the key `e` open.

import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useRef } from 'react'
import { Link } from 'react-router'
import { messages } from '../messages.ts'
import type { Action } from './action.tsx'
import { type CardTab, CardTabs } from './card-page.tsx'
import { type DetailRow, Details } from './details.tsx'
import { type Figure, Figures } from './figures.tsx'
import { useKey } from './keys.tsx'
import { MoreMenu } from './more-menu.tsx'
import { type Crumb, usePage } from './page.tsx'
import { PageTitles } from './page-titles.tsx'
import type { Printable } from './print-address.ts'
import { PrintMenu } from './print-menu.tsx'
import classes from './reading-page.module.css'

/** Opens a new document for this record. */
export type Shortcut = { readonly label: string; readonly to: string; readonly icon: ReactNode }

type Props = {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** A square of 48 px before the name. */
  readonly emblem?: ReactNode
  readonly badges?: ReactNode
  /** Codes, category, e-mail and the like, under the name. */
  readonly facts: readonly ReactNode[]
  /** The most usual one first. */
  readonly shortcuts: readonly Shortcut[]
  readonly menu: readonly Action[]
  /** What can be printed. */
  readonly prints?: readonly Printable[]
  /** Absent for users who may not change the record. */
  readonly edit?: (() => void) | undefined
  readonly figures: readonly Figure[]
  readonly details: readonly DetailRow[]
  readonly notes: string
  readonly tabs: readonly CardTab[]
  /** The drawer. */
  readonly children?: ReactNode
}

/** Whether the page is opened to edit the record at once, as by `e` in a list. */
export const isEditAsked = ({ state }: { readonly state: unknown }): boolean =>
  (state as { readonly edit?: boolean } | null)?.edit === true

export function ReadingPage(page: Props) {
  const { title, crumbs, edit, figures, details, notes, tabs, children } = page
  usePage({ title, crumbs })
  const button = useRef<HTMLButtonElement>(null)
  /** The focus returns to the button, also when a key opened the form. */
  const start =
    edit &&
    (() => {
      button.current?.focus()
      edit()
    })
  useKey('e', messages.kit.card.edit, start)
  return (
    <div className={classes['page']}>
      <Head {...page} edit={start} button={button} />
      {figures.length > 0 && <Figures figures={figures} />}
      <div className={classes['body']}>
        <aside className={classes['side']} aria-label={messages.kit.card.details}>
          <Details rows={details} notes={notes} />
        </aside>
        <div className={classes['main']}>
          <CardTabs tabs={tabs} />
        </div>
      </div>
      {children}
    </div>
  )
}

type HeadProps = Props & { readonly button: RefObject<HTMLButtonElement | null> }

function Head({ title, emblem, badges, facts, shortcuts, menu, prints = [], edit, button }: HeadProps) {
  return (
    <header className={classes['head']}>
      {emblem !== undefined && <div className={classes['emblem']}>{emblem}</div>}
      <PageTitles title={title} badges={badges} facts={facts} className={classes['titles']} />
      <div className={classes['buttons']}>
        {shortcuts.length > 0 && (
          <div className={classes['shortcuts']}>
            {shortcuts.map(({ label, to, icon }) => (
              <Button
                key={to}
                component={Link}
                to={to}
                variant="default"
                leftSection={icon}
                classNames={{
                  root: classes['shortcut'] ?? '',
                  section: classes['icon'] ?? '',
                  label: classes['word'] ?? '',
                }}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
        {(edit !== undefined || menu.length > 0 || prints.length > 0) && (
          <Tools edit={edit} menu={menu} prints={prints} button={button} />
        )}
      </div>
    </header>
  )
}

function Tools({ edit, menu, prints = [], button }: Pick<HeadProps, 'edit' | 'menu' | 'prints' | 'button'>) {
  return (
    <div className={classes['tools']}>
      {edit !== undefined && (
        <Button
          ref={button}
          variant="default"
          leftSection={<IconPencil size={16} stroke={1.6} aria-hidden />}
          aria-label={messages.kit.card.edit}
          title={`${messages.kit.card.edit} (e)`}
          classNames={{ root: classes['edit'] ?? '', section: classes['pencil'] ?? '', label: classes['word'] ?? '' }}
          onClick={edit}
        >
          {messages.kit.card.edit}
        </Button>
      )}
      <PrintMenu prints={prints} />
      <MoreMenu menu={menu} />
    </div>
  )
}
