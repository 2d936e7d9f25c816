// A row of tabs that scrolls sideways shows the selected one.

import { type RefObject, useEffect, useRef } from 'react'

/** For the scrolling element. `selected` is what was selected, and what else changes the width of the tabs. */
export function useSelectedInView<E extends HTMLElement>(selected: string | null | undefined): RefObject<E | null> {
  const row = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another selected tab moves the row
  useEffect(() => {
    if (row.current === null) return
    // Called when the page is laid out, first of all at once. Measured here, it would be laid out one more time.
    const observer = new ResizeObserver(([entry]) => entry && showSelected(entry.target as HTMLElement))
    observer.observe(row.current)
    return () => observer.disconnect()
  }, [selected])
  return row
}

function showSelected(row: HTMLElement): void {
  const tab = row.querySelector<HTMLElement>('[aria-selected="true"], [aria-current="page"]')
  if (!tab) return
  // Not scrollIntoView, which also scrolls the page.
  const left = tab.getBoundingClientRect().left - row.getBoundingClientRect().left + row.scrollLeft
  row.scrollLeft = left - (row.clientWidth - tab.offsetWidth) / 2
}
