// imports/start: the rows of a draft are written in the background. App API only.

import { importCommand, refuseUnless } from './command.ts'
import { beginRun, noteCompany } from './store.ts'

export const startImport = importCommand({
  path: 'imports/start',
  startsWork: true,
  summary: 'Write the rows of an import, in the background.',
  notes: ['Rows that are refused are left out.'],
  refusals: ['The import has begun', 'The import has no rows to write'],
  allow: ({ status }, { left }) => {
    refuseUnless(status === 'draft', 'The import has begun')
    refuseUnless(left.writable > 0, 'The import has no rows to write')
  },
  write: (of, { at }) => [beginRun({ ...of, at }), noteCompany(of.company_id, { any: true, working: true })],
  change: { status: ['draft', 'running'] },
})
