// A row of tabs that scrolls sideways shows the selected one.

import { type RefObject, useEffect, useRef } from 'react'

/** For the scrolling element. `selected` is what was selected, and what else changes the width of the tabs. */
export function useSelectedInView<E extends HTMLElement>(selected: string | null | undefined): RefObject<E | null> {
  const row = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another selected tab moves the row
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-selected="true"], [aria-current="page"]')
    if (!row.current || !tab) return
    // Not scrollIntoView, which also scrolls the page.
    const left = tab.getBoundingClientRect().left - row.current.getBoundingClientRect().left + row.current.scrollLeft
    row.current.scrollLeft = left - (row.current.clientWidth - tab.offsetWidth) / 2
  }, [selected])
  return row
}
