// The methods of imports, and the writes of the runner, which are none.

import type { Method } from '../../kernel/method.ts'
import { addImport } from './add.ts'
import { addImportRows } from './add_rows.ts'
import { removeImport } from './delete.ts'
import { getImport } from './get_entry.ts'
import { listImports } from './get_list.ts'
import { listImportRows } from './get_rows.ts'
import { runImportRows } from './run.ts'
import { startImport } from './start.ts'
import { undoImport } from './undo.ts'

export const importMethods: readonly Method[] = [
  addImport,
  addImportRows,
  startImport,
  undoImport,
  removeImport,
  getImport,
  listImports,
  listImportRows,
]

/** Planned in the thread like the large writes of the API. */
export const importWrites: readonly Method[] = [runImportRows]
