// Units, categories and suppliers that rows name and that do not exist: they are created with one button, and the rows are checked again.

import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { notifyError } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import type { ImportsGetEntryImport, ImportsGetRowsRows } from '../methods.ts'
import { call } from '../server/call.ts'
import { refresh, useMethod } from '../server/query.ts'
import { rowsAtOnce } from './send-rows.ts'

const texts = messages.imports
const codes = ['unit_not_found', 'category_not_found', 'supplier_not_found'] as const
type Code = (typeof codes)[number]
type Import = ImportsGetEntryImport
type Row = ImportsGetRowsRows

/** So many names are shown and created at a time. */
const maxNames = 50
const pageRows = 1_000

export function MissingNames({ of }: { of: Import }) {
  const { data } = useMethod('imports/get_rows', { import_id: of.id, state: 'refused', limit: pageRows })
  const [isBusy, setBusy] = useState(false)
  const missing = namesIn(data?.rows ?? [])
  if (missing.size === 0) return null
  const create = async (): Promise<void> => {
    setBusy(true)
    try {
      for (const [code, names] of missing) for (const name of names) await createRecord(of, code, name)
      await checkAgain(of)
    } catch (error) {
      notifyError(error)
    }
    refresh(['imports', 'units', 'categories', 'suppliers'])
    setBusy(false)
  }
  return (
    <Alert color="yellow" title={texts.missingTitle}>
      {[...missing].map(([code, names]) => (
        <Text key={code} size="sm">
          {texts.missing[code]}: {[...names].join(', ')}
        </Text>
      ))}
      <Group mt="xs">
        <Button variant="default" size="xs" loading={isBusy} onClick={() => void create()}>
          {texts.createMissing}
        </Button>
        {isBusy && (
          <Text size="sm" role="status">
            {texts.creating}
          </Text>
        )}
      </Group>
    </Alert>
  )
}

/** Each name once, whatever its case. */
function namesIn(rows: readonly Row[]): Map<Code, Set<string>> {
  const found = new Map<Code, Map<string, string>>()
  for (const { code: missing, value } of rows.flatMap(({ refusal }) => refusal?.missing ?? [])) {
    const code = codes.find((one) => one === missing)
    if (code === undefined) continue
    const names = found.get(code) ?? new Map<string, string>()
    if (names.size < maxNames) names.set(value.toLowerCase(), value)
    found.set(code, names)
  }
  return new Map([...found].map(([code, names]) => [code, new Set(names.values())]))
}

async function createRecord({ kind }: Import, code: Code, name: string): Promise<void> {
  if (code === 'unit_not_found') await call('units/add', { name })
  else if (code === 'supplier_not_found') await call('suppliers/add', { name })
  else await call('categories/add', { name, type: kind === 'materials' ? 'materials' : 'products' })
}

/** The rows that are refused are sent again, each run of neighbours together. */
async function checkAgain({ id, kind, storage_id: storage }: Import): Promise<void> {
  const refused: Row[] = []
  for (let all = 1; refused.length < all; ) {
    const page = { import_id: id, state: 'refused', limit: pageRows, offset: refused.length } as const
    const { rows, total } = await call('imports/get_rows', page)
    refused.push(...rows)
    all = rows.length === 0 ? 0 : total
  }
  for (let at = 0; at < refused.length; ) {
    const first = refused[at] as Row
    let end = at + 1
    while (refused[end]?.position === first.position + end - at && end - at < rowsAtOnce) end++
    const rows = refused.slice(at, end).map(({ line, fields }) => ({ line, fields }))
    const counted = storage === null ? {} : { storage_id: storage }
    await call('imports/add_rows', { import_id: id, kind, position: first.position, rows, ...counted })
    at = end
  }
}
