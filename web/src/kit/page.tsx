// What a screen passes to the frame: its title, its breadcrumbs, and its primary action.

import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { messages } from '../messages.ts'
import { useKey } from './keys.tsx'

export type Crumb = { readonly label: string; readonly to?: string }
export type PageAction = { readonly label: string; readonly to?: string; readonly run?: () => void }
type Page = { readonly title: string; readonly crumbs: readonly Crumb[]; readonly action?: PageAction | undefined }

let page: Page = { title: '', crumbs: [] }
const listeners = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function show(next: Page): void {
  page = next
  for (const listener of listeners) listener()
}

export const useCurrentPage = (): Page => useSyncExternalStore(subscribe, () => page)

/** Called by every screen. `crumbs` are the parent pages; the title is appended. */
export function usePage(of: {
  readonly title: string
  /** The title of the browser tab, where it is longer than the page title. */
  readonly tabTitle?: string | undefined
  readonly crumbs?: readonly Crumb[]
  readonly action?: PageAction | undefined
}): void {
  const key = JSON.stringify([of.title, of.crumbs, of.action?.label, of.action?.to])
  const latest = useRef(of)
  latest.current = of
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key represents what is shown; actions are read when they run
  const shown = useMemo<Page>(() => {
    const { title, crumbs = [], action } = latest.current
    return {
      title,
      crumbs,
      action: action && {
        label: action.label,
        ...(action.to ? { to: action.to } : {}),
        run: () => latest.current.action?.run?.(),
      },
    }
  }, [key])
  const tabTitle = of.tabTitle ?? of.title
  useEffect(() => {
    show(shown)
    return () => show({ title: '', crumbs: [] })
  }, [shown])
  useEffect(() => {
    document.title = tabTitle ? `${tabTitle} · ${messages.frame.product}` : messages.frame.product
  }, [tabTitle])
}

/** Registers the key of the primary action; the frame calls it because only the frame can follow a link. */
export function useActionKey(follow: (to: string) => void): void {
  const { action } = useCurrentPage()
  useKey('n', action?.label ?? '', action && (() => (action.to ? follow(action.to) : action.run?.())))
}
