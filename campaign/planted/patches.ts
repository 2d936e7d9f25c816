// Whether the injected faults still fit the source.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { patched } from './fault.ts'
import { faults } from './faults.ts'
import { breaks } from './faults-of-gate.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Tries every patch of every fault on the current source. The error names the one that no longer fits. */
export function tryPatches(): number {
  let tried = 0
  const ofGate = breaks.map(({ what, patch }) => ({ name: what, patches: [patch] }))
  for (const fault of [...faults, ...ofGate]) {
    const texts = new Map<string, string>()
    for (const patch of fault.patches) {
      const text = texts.get(patch.file) ?? readFileSync(join(root, patch.file), 'utf8')
      try {
        texts.set(patch.file, patched(text, patch))
      } catch (error) {
        throw new Error(`the fault "${fault.name}" no longer fits: ${error instanceof Error ? error.message : error}`)
      }
      tried++
    }
  }
  return tried
}
