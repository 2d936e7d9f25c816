// A file with the headings of an import and no rows, to be filled in.

import { messages } from '../messages.ts'
import { type Choice, fieldsOf } from './fields.ts'
import { labelOf } from './labels.ts'

export async function downloadTemplate(choice: Choice): Promise<void> {
  const { downloadFile } = await import('../kit/export-file.ts')
  const columns = fieldsOf[choice].map(({ name }) => ({ title: labelOf(choice, name), kind: 'text' as const }))
  downloadFile(messages.imports.templateName(messages.imports.kinds[choice]), { columns, rows: [] }, 'xlsx')
}
