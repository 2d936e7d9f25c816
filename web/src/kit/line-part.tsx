// A part of the lines of a long document. Its rows are rendered when they come near the window; until then their place is kept free.

import { type ReactNode, useEffect, useRef, useState } from 'react'

/** About the height of a row with its stock. */
const rowPx = 60
/** Rendered before it is visible, so that nobody waits for it while scrolling or moving on with the arrow keys. */
const marginPx = 800

type Props = {
  readonly rows: number
  /** Rendered wherever it is: the first part, the last one, which new lines are added to, and the one with an error. */
  readonly isNeeded: boolean
  readonly children: () => ReactNode
}

export function LinePart({ rows, isNeeded, children }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [wasNear, setNear] = useState(false)
  const isShown = isNeeded || wasNear
  useEffect(() => {
    if (isShown || body.current === null) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: `${marginPx}px` },
    )
    observer.observe(body.current)
    return () => observer.disconnect()
  }, [isShown])
  return (
    <tbody ref={body}>
      {isShown ? (
        children()
      ) : (
        <tr aria-hidden>
          <td style={{ height: rows * rowPx }} />
        </tr>
      )}
    </tbody>
  )
}
