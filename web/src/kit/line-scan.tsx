// Adds one line after another with the camera.

import { quantity } from '../format.ts'
import { messages } from '../messages.ts'
import type { FoundItem } from './found-item.ts'
import { ScanButton } from './scan-button.tsx'
import { findByCode, type LineSource } from './scanned-item.ts'

type Props = {
  readonly sources: readonly LineSource[]
  /** Takes the scanned item, and returns its quantity. */
  readonly onScan: (item: FoundItem) => number
  /** Searches for a code that no item has. */
  readonly onSearch: (code: string) => void
}

export function LineScan({ sources, onScan, onSearch }: Props) {
  return (
    <ScanButton
      onCode={async (code) => {
        const item = await findByCode(code, sources)
        if (item === undefined) return { is: 'unknown' }
        return { is: 'taken', text: messages.kit.scan.taken(item.name, quantity(onScan(item), item.unit)) }
      }}
      onSearch={onSearch}
    />
  )
}
