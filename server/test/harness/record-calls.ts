// Calls of the sections with single records (units, products, customers …), with the checks that apply to every response.

import assert from 'node:assert/strict'
import type { Reply } from './app.ts'
import type { Company } from './given.ts'

const nouns = {
  units: 'unit',
  categories: 'category',
  storages: 'storage',
  products: 'product',
  materials: 'material',
  resources: 'resource',
  customers: 'customer',
  suppliers: 'supplier',
} as const

export type Section = keyof typeof nouns
export const nounOf = (section: Section): string => nouns[section]
export const idField = (section: Section): string => `${nouns[section]}_id`
export const entityOf = (section: Section): string => nouns[section].charAt(0).toUpperCase() + nouns[section].slice(1)
export const missingText = (section: Section): string => `${entityOf(section)} not found or access denied`

export const isReference = (section: Section): boolean => ['units', 'categories', 'storages'].includes(section)
export const sections = Object.keys(nouns) as Section[]
/** Sections with get_entry and a paged list. */
export const pagedSections: readonly Section[] = sections.filter((section) => !isReference(section))

type Body = Readonly<Record<string, unknown>>

/** The fields of a successful response, without `success`. */
export async function accepts(company: Company, path: string, body: Body = {}): Promise<Reply['body']> {
  const reply = await company.call(path, body)
  assert.equal(reply.status, 200, `${path} ${JSON.stringify(body).slice(0, 500)} → ${reply.text.slice(0, 500)}`)
  const { success, ...fields } = reply.body
  assert.equal(success, true)
  return fields
}

export async function refuses(company: Company, path: string, body: Body, error: string): Promise<void> {
  const reply = await company.call(path, body)
  const message = `${path} ${JSON.stringify(body).slice(0, 500)}`
  assert.deepEqual([reply.status, reply.body], [400, { success: false, error }], message)
}

/** The required fields of an add, with a generated name. */
export const leastOf = (section: Section): Record<string, unknown> => ({
  name: `Some ${nounOf(section)} ${++made}`,
  ...(section === 'categories' ? { type: 'products' } : {}),
})
let made = 0

/** Adds a record, with required fields filled in, and returns its id. */
export async function add(company: Company, section: Section, body: Body = {}): Promise<number> {
  return (await accepts(company, `${section}/add`, { ...leastOf(section), ...body }))[idField(section)]
}

export async function edit(company: Company, section: Section, id: number, body: Body): Promise<void> {
  assert.deepEqual(await accepts(company, `${section}/edit`, { [idField(section)]: id, ...body }), {})
}

/** Edits a record: exactly these fields must change to the expected values, in addition to `updated_at`. */
export async function editChanges(company: Company, section: Section, id: number, body: Body, expected: Body) {
  const before = await entry(company, section, id)
  await edit(company, section, id, body)
  const after = await entry(company, section, id)
  assert.deepEqual(after, { ...before, ...expected, updated_at: after.updated_at }, JSON.stringify(body))
  assert.ok(after.updated_at > before.updated_at, `${section}: ${after.updated_at} is not after ${before.updated_at}`)
}

export async function remove(company: Company, section: Section, id: number): Promise<void> {
  assert.deepEqual(await accepts(company, `${section}/delete`, { [idField(section)]: id }), {})
}

export async function refusesEdit(company: Company, section: Section, id: unknown, body: Body, error: string) {
  await refuses(company, `${section}/edit`, { [idField(section)]: id, ...body }, error)
}

export async function refusesDelete(company: Company, section: Section, id: unknown, error: string) {
  await refuses(company, `${section}/delete`, { [idField(section)]: id }, error)
}

/** The record as its own section returns it: by get_entry, or from a list without pages. */
export async function entry(company: Company, section: Section, id: number): Promise<Reply['body']> {
  if (isReference(section)) {
    const records: { id: number }[] = await wholeReference(company, section)
    return records.find((one) => one.id === id)
  }
  return (await accepts(company, `${section}/get_entry`, { [idField(section)]: id }))[nounOf(section)]
}

export async function wholeReference(company: Company, section: Section): Promise<Reply['body'][]> {
  return (await accepts(company, `${section}/get_list`))[section]
}

/** The matching records, read without a limit and again page by page; both must be equal. */
export async function list(
  company: Company,
  section: string,
  filters: Body = {},
  pageSize = 1000,
): Promise<Reply['body'][]> {
  const whole = await accepts(company, `${section}/get_list`, filters)
  assert.deepEqual(Object.keys(whole).sort(), [section, 'total'].sort())
  const paged: unknown[] = []
  do {
    const page = await accepts(company, `${section}/get_list`, { ...filters, limit: pageSize, offset: paged.length })
    assert.equal(page.total, whole.total, `total of a page of ${section} with ${JSON.stringify(filters)}`)
    assert.equal(page[section].length, Math.min(pageSize, whole.total - paged.length))
    paged.push(...page[section])
  } while (paged.length < whole.total)
  assert.equal(whole[section].length, whole.total)
  assert.deepEqual(paged, whole[section], `pages of ${section} with ${JSON.stringify(filters)}`)
  return whole[section]
}

export const names = (records: readonly { name: string }[]): string[] => records.map((one) => one.name)
export const ids = (records: readonly { id: number }[]): number[] => records.map((one) => one.id)

/** Values that are not text, with the resulting errors. */
export const noTexts: readonly unknown[] = [true, false, [], {}, ['x']]
/** Values that are not an amount of money of 0 or greater. */
export const noMoney: readonly unknown[] = [-1, -0.01, '-1', 'x', '', '1,5', '0x10', 'NaN', true, [], {}, 1e12]
/** Ids of no record. */
export const noRecords: readonly unknown[] = [987_654, 0, -1, 1.5, 'x', '1.5', true, {}, [1], 1e20]

export const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/
