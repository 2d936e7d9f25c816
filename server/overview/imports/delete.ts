// imports/delete: an import and its rows are forgotten. What it did stays. App API only.

import { importCommand, refuseUnless } from './command.ts'
import { deleteImport, noteCompany } from './store.ts'

export const removeImport = importCommand({
  path: 'imports/delete',
  whenFull: 'always',
  summary: 'Delete an import and its rows.',
  notes: ['The records that it created or changed stay, and it can no longer be taken back.'],
  refusals: ['The import is at work'],
  allow: ({ status }) => refuseUnless(status !== 'running' && status !== 'undoing', 'The import is at work'),
  write: (of, _transaction, { imports, others_working: working }) => [
    deleteImport(of),
    noteCompany(of.company_id, { any: imports > 1, working: working > 0 }),
  ],
  change: {},
})
