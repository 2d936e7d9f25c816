// All records of a section with everything that can be imported, as a file that Import reads again.

import { notify, progress } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import { callWith } from '../server/call.ts'
import { cellText, type FieldName } from './cells.ts'
import { fieldsOf } from './fields.ts'
import { labelOf } from './labels.ts'

export type ExportedSection = 'products' | 'materials' | 'customers' | 'suppliers'

type Stored = Readonly<Record<string, unknown>>
type Supplier = { readonly supplier_id: number; readonly sku: string; readonly price: number }
type Component = { readonly type: string; readonly sku: string; readonly name: string; readonly amount: number }

const pageRows = 1_000
const includes: Readonly<Partial<Record<ExportedSection, readonly string[]>>> = {
  products: ['suppliers', 'components'],
  materials: ['suppliers'],
}
const numbers: ReadonlySet<FieldName> = new Set<FieldName>(['price', 'min_amount', 'payment_days'])

async function readAll(section: ExportedSection, onProgress: (done: number, all: number) => void): Promise<Stored[]> {
  const rows: Stored[] = []
  const include = includes[section]
  for (let all = 1; rows.length < all; ) {
    const page = { limit: pageRows, offset: rows.length, ...(include === undefined ? {} : { include }) }
    const answer = (await callWith(`${section}/get_list`, page)) as { total: number } & Record<string, Stored[]>
    const got = answer[section] ?? []
    rows.push(...got)
    all = got.length === 0 ? 0 : answer.total
    onProgress(rows.length, answer.total)
  }
  return rows
}

/** The fields as a row of an import has them. Resources have no SKU, so they are named. */
export function importedFields(stored: Stored, suppliers: ReadonlyMap<number, string>): Stored {
  const names = (stored['categories'] ?? []) as readonly { readonly name: string }[]
  const components = (stored['components'] ?? []) as readonly Component[]
  const own = (stored['suppliers'] ?? []) as readonly Supplier[]
  return {
    ...stored,
    categories: names.map(({ name }) => name),
    suppliers: own.map(({ supplier_id: id, sku, price }) => ({
      name: suppliers.get(id) ?? '',
      sku,
      price: price === 0 ? '' : String(price),
    })),
    components: components.map(({ type, sku, name, amount }) => ({
      type,
      sku: type === 'resource' ? name : sku,
      amount: String(amount),
    })),
  }
}

export async function exportAll(section: ExportedSection): Promise<void> {
  const texts = messages.kit.list
  const bar = progress(texts.exporting(0, 0))
  try {
    const { downloadFile } = await import('../kit/export-file.ts')
    const rows = await readAll(section, (done, all) => bar.update(texts.exporting(done, all)))
    const isOfItems = section === 'products' || section === 'materials'
    const suppliers = isOfItems ? await readAll('suppliers', () => {}) : []
    const names = new Map(suppliers.map((one) => [Number(one['id']), String(one['name'])]))
    const columns = fieldsOf[section].map(({ name }) => ({
      title: labelOf(section, name),
      kind: numbers.has(name) ? ('number' as const) : ('text' as const),
    }))
    const cells = rows.map((row) => {
      const fields = importedFields(row, names)
      return fieldsOf[section].map(({ name }) => {
        const value = fields[name]
        return typeof value === 'number' ? value : cellText(fields, name)
      })
    })
    downloadFile(section, { columns, rows: cells }, 'xlsx')
    notify(texts.exported(rows.length))
  } finally {
    bar.end()
  }
}
