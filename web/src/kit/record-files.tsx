// The tab Files of a record, loaded when it is opened.

import { lazy, Suspense } from 'react'
import { messages } from '../messages.ts'
import type { FileOwner } from './add-files.ts'
import type { CardTab } from './card-page.tsx'
import { Skeletons } from './skeletons.tsx'

const FilesTab = lazy(() => import('./files-tab.tsx').then(({ FilesTab: shown }) => ({ default: shown })))

/** Records whose files show money: workers do not see them. */
const secretRecords: readonly FileOwner['record'][] = ['sale', 'purchase']

export const filesTab = (record: FileOwner['record'], id: number): CardTab => ({
  name: 'files',
  label: messages.files.title,
  ...(secretRecords.includes(record) ? { role: 'manager' } : {}),
  show: () => (
    <Suspense fallback={<Skeletons rows={3} />}>
      <FilesTab owner={{ record, record_id: id }} />
    </Suspense>
  ),
})
