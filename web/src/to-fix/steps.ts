// Assigning and dismissing skipped lines: for all documents, in as many steps as the server needs, with one undo for all of them.

import { notify, progress } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'

const texts = messages.toFix

/** What skipped lines name, as the server lists it. */
export type SkippedCode = {
  readonly type: 'product' | 'material'
  readonly sku: string | null
  readonly id: string | null
  readonly external_id: string | null
  readonly connection_id: number | null
  readonly connection_name: string | null
}

export function codeText(code: SkippedCode): string {
  if (code.sku !== null) return texts.sku(code.sku)
  return code.external_id === null
    ? texts.id(code.id ?? '')
    : texts.externalId(code.external_id, code.connection_name ?? texts.screens)
}

function named({ type, sku, id, external_id, connection_id }: SkippedCode) {
  if (sku !== null) return { type, sku }
  return external_id === null ? { type, id: id ?? '' } : { type, external_id, connection_id: connection_id ?? 0 }
}

type Step = { readonly step: number; readonly documents: number; readonly remaining: number }

/** Repeats a step while documents remain. Each step is complete in itself: if one fails, those before it can be undone. */
async function runSteps(of: SkippedCode, run: () => Promise<Step>, done: (documents: number) => string): Promise<void> {
  const steps: number[] = []
  let documents = 0
  let bar: ReturnType<typeof progress> | undefined
  try {
    for (let remaining = 1; remaining > 0; ) {
      const answer = await run()
      steps.unshift(answer.step)
      documents += answer.documents
      remaining = answer.remaining
      const text = texts.running(codeText(of), documents, documents + remaining)
      if (bar !== undefined) bar.update(text)
      else if (remaining > 0) bar = progress(text)
    }
  } finally {
    bar?.end()
    if (steps.length > 0) notify(done(documents), { undo: () => undo(steps) })
  }
}

/** The last step first: the steps before it gave the item its SKU. */
async function undo(steps: readonly number[]): Promise<void> {
  for (const step of steps) await mutate('skipped_lines/undo', { step })
}

export const assignLines = (of: SkippedCode, itemId: number): Promise<void> =>
  runSteps(
    of,
    () => mutate('skipped_lines/assign', { ...named(of), item_id: itemId }),
    (documents) => texts.assigned(codeText(of), documents),
  )

export const dismissLines = (of: SkippedCode, isClosed: boolean): Promise<void> =>
  runSteps(
    of,
    () => mutate('skipped_lines/dismiss', { ...named(of), closed: isClosed ? 1 : 0 }),
    (documents) => texts.dismissed(codeText(of), documents),
  )
