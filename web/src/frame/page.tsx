// What a screen tells the frame: its title, where it stands, and its one primary action.

import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { words } from '../words.ts'
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

export const useShownPage = (): Page => useSyncExternalStore(subscribe, () => page)

/** Called by every screen. `crumbs` are the places above it; the title comes last by itself. */
export function usePage(of: {
  readonly title: string
  readonly crumbs?: readonly Crumb[]
  readonly action?: PageAction | undefined
}): void {
  const key = JSON.stringify([of.title, of.crumbs, of.action?.label, of.action?.to])
  const latest = useRef(of)
  latest.current = of
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is shown; acts are read when they are run
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
  useEffect(() => {
    show(shown)
    document.title = shown.title ? `${shown.title} · ${words.frame.product}` : words.frame.product
    return () => show({ title: '', crumbs: [] })
  }, [shown])
}

/** The primary action by its key; the frame calls it, as only there a link can be followed. */
export function useActionKey(follow: (to: string) => void): void {
  const { action } = useShownPage()
  useKey('n', action?.label ?? '', action && (() => (action.to ? follow(action.to) : action.run?.())))
}
