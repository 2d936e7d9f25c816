// Faults in the handling of skipped lines: a line that is lost, added twice or added to the wrong documents, and notes that still list it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the search and replacement texts are source code.

import type { Planted } from './fault.ts'

const stored = 'server/overview/skipped_lines/stored.test.ts'
const assigned = 'server/overview/skipped_lines/assign.test.ts'
const listed = 'server/overview/skipped_lines/get_list.test.ts'
const bounded = 'server/overview/skipped_lines/bounds.test.ts'
const bought = 'server/overview/skipped_lines/purchases.test.ts'
const undone = 'server/overview/skipped_lines/undo.test.ts'

const lines = 'server/documents/skipped-lines.ts'
const assign = 'server/overview/skipped_lines/assign.ts'
const step = 'server/overview/skipped_lines/step.ts'
const undo = 'server/overview/skipped_lines/undo.ts'

const keeping: readonly Planted[] = [
  {
    name: 'a line that an edit of the API skips is not stored',
    patches: [
      {
        file: lines,
        find: '? before.skipped : added\n',
        replace: '? before.skipped : before.skipped\n',
      },
    ],
    caughtBy: stored,
  },
  {
    name: 'a line that somebody added by hand goes on waiting',
    patches: [
      {
        file: lines,
        find: 'before.skipped.filter((line) => !isSentenceRemoved(line, before.notes, notes))',
        replace: 'before.skipped',
      },
    ],
    caughtBy: stored,
  },
]

const assigning: readonly Planted[] = [
  {
    name: 'an assigned line goes on waiting, and is added again',
    patches: [
      {
        file: assign,
        find: 'skipped: left, notes:',
        replace: 'skipped, notes:',
      },
    ],
    caughtBy: assigned,
  },
  {
    name: 'a shipped sale gets the lines too',
    patches: [
      {
        file: step,
        find: ' and (d.status in (${section.closed})) = :is_closed::boolean',
        replace: ' and :is_closed::boolean is not null',
      },
    ],
    caughtBy: assigned,
  },
  {
    name: 'the notes still list a line that was assigned',
    patches: [
      {
        file: assign,
        find: 'notes: notesWithout(notes, assigned, left) }',
        replace: 'notes }',
      },
    ],
    caughtBy: assigned,
  },
  {
    name: 'a line is assigned to an item of which another connection has the external id',
    patches: [
      {
        file: step,
        find: ' and w.connection_id = :code_connection_id',
        replace: ' and :code_connection_id::bigint is not null',
      },
      {
        file: lines,
        find: '  one.connectionId === other.connectionId &&\n',
        replace: '',
      },
    ],
    caughtBy: assigned,
  },
  {
    name: 'waiting documents of all companies are searched for a code',
    patches: [
      {
        file: step,
        find: 'where w.company_id = :company_id and w.kind = :kind',
        replace: 'where w.kind = :kind',
      },
    ],
    caughtBy: 'server/test/structure/schema.test.ts',
  },
  {
    name: 'the item does not get the code of the lines',
    patches: [
      {
        file: 'server/catalog/added-code.ts',
        find: 'if (code === undefined || hasCode(before, code)) return undefined',
        replace: 'if (code !== undefined || hasCode(before, code ?? "")) return undefined',
      },
    ],
    caughtBy: assigned,
  },
  {
    name: 'a step changes all waiting documents at once',
    patches: [
      {
        file: step,
        find: 'from fitting f where f.place <= ${maxDocuments}),',
        replace: 'from fitting f),',
      },
    ],
    caughtBy: bounded,
  },
  {
    name: 'workers may assign skipped lines',
    patches: [
      {
        file: assign,
        find: "  api: 'app',\n",
        replace: "  api: 'app',\n  role: 'worker',\n",
      },
    ],
    caughtBy: listed,
  },
]

const buying: readonly Planted[] = [
  {
    name: 'several purchases of a step read the costs of before the step',
    patches: [
      {
        file: step,
        find: '      for (const [itemId, cost] of plan.costs) costs.set(itemId, cost)\n',
        replace: '',
      },
    ],
    caughtBy: bought,
  },
  {
    name: 'delivery and discount are not spread over assigned lines',
    patches: [
      {
        file: 'server/purchases/skipping.ts',
        find: 'parts.lines === purchase.lines ? parts.lines : withShares(',
        replace: 'parts.lines !== purchase.lines ? parts.lines : withShares(',
      },
    ],
    caughtBy: bought,
  },
]

const undoing: readonly Planted[] = [
  {
    name: 'a step is undone although a document was changed meanwhile',
    patches: [
      {
        file: undo,
        find: '    if (facts.document_events.some(([, , , isLatest]) => !isLatest)) refuseChanged()\n',
        replace: '',
      },
    ],
    caughtBy: undone,
  },
  {
    name: 'the levels of a step have the number of its first event',
    patches: [
      {
        file: step,
        find: 'lastSeq: transaction.seq + events.length - 1',
        replace: 'lastSeq: transaction.seq',
      },
    ],
    caughtBy: undone,
  },
  {
    name: 'the item keeps the code after the step was undone',
    patches: [
      {
        file: undo,
        find: 'return { plans, item: back }',
        replace: 'return { plans, item: back === undefined ? back : undefined }',
      },
    ],
    caughtBy: undone,
  },
]

export const faultsOfSkippedLines: readonly Planted[] = [...keeping, ...assigning, ...buying, ...undoing]
