// company/prepare_archive: what an owner calls before the browser downloads the archive, because a download cannot ask for a password.

import { z } from 'zod'
import { read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'

type Row = { readonly stored_bytes: number }
const find = statement<Row, { readonly company_id: number }>(
  'company.stored_bytes',
  'select k.written_bytes as stored_bytes from company_clock k where k.company_id = :company_id',
)

export const prepareArchive = read({
  path: 'company/prepare_archive',
  api: 'app',
  role: 'owner',
  needsFreshSignIn: true,
  summary: 'Check that you can download the archive of the company.',
  notes: [
    'The archive is at `/screens/archive` for owners whose sign-in is fresh; `?company=` and an id refuses that of any other company. It contains no passwords, keys or secrets.',
  ],
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    stored_bytes: z.int().describe('What the company has stored so far. The archive is compressed, so it is smaller.'),
  }),
  refusals: [],
  example: { request: {}, response: { success: true, stored_bytes: 18_400_000 } },
  query: (_input, { companyId }) => find({ company_id: companyId }),
  response: ([row]) => ({ stored_bytes: row?.stored_bytes ?? 0 }),
})
