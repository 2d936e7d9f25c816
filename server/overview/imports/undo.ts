// imports/undo: what an import did is taken back in the background. App API only.

import { importCommand, refuseUnless } from './command.ts'
import { beginUndo, noteCompany } from './store.ts'

export const undoImport = importCommand({
  path: 'imports/undo',
  startsWork: true,
  whenFull: 'always',
  summary: 'Take back what an import did, in the background.',
  notes: [
    'Records that it created are deleted, those that it changed get back what it changed, in opposite order, each by the rules of deleting and editing it.',
    'A record that was changed since, or that may not be deleted, stays as it is; imports/get_rows says why.',
  ],
  refusals: ['The import is not done', 'The import has nothing to take back'],
  allow: ({ status }, { left }) => {
    refuseUnless(status === 'done', 'The import is not done')
    refuseUnless(left.written > 0, 'The import has nothing to take back')
  },
  write: (of) => [beginUndo(of), noteCompany(of.company_id, { any: true, working: true })],
  change: { status: ['done', 'undoing'] },
})
