// Names and other texts in every section of single records, and fields that an edit leaves unchanged.

import assert from 'node:assert/strict'
import { type Company, given } from '../test/harness/given.ts'
import {
  add,
  edit,
  editChanges,
  entityOf,
  entry,
  leastOf,
  noTexts,
  refuses,
  refusesEdit,
  remove,
  type Section,
  sections,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

/** Texts of each section in addition to the name, with their maximum length where one is specified. */
const texts: Readonly<Record<Section, readonly (readonly [field: string, most?: number])[]>> = {
  units: [['full_name']],
  categories: [],
  storages: [
    ['address', 65_535],
    ['notes', 65_535],
  ],
  products: [
    ['sku', 255],
    ['notes', 65_535],
  ],
  materials: [
    ['sku', 255],
    ['notes', 65_535],
  ],
  resources: [['notes', 65_535]],
  customers: [['email'], ['phone'], ['address_real', 65_535], ['address_legal', 65_535], ['notes', 65_535]],
  suppliers: [['agreement'], ['manager_name'], ['manager_post'], ['address_real', 65_535], ['notes', 65_535]],
}

rule('records.error.no-name', async () => {
  const company = await given.company()
  for (const section of sections) {
    const { name: _, ...nameless } = leastOf(section)
    await refuses(company, `${section}/add`, nameless, 'No name in input')
    await refuses(company, `${section}/add`, { ...nameless, name: null }, 'No name in input')
  }
})

/** Adding and editing with this name are refused, and the edited record keeps its name. */
async function refusesName(company: Company, section: Section, name: unknown, error: string): Promise<void> {
  const id = await add(company, section, { name: 'Its own name' })
  await refuses(company, `${section}/add`, { ...leastOf(section), name }, error)
  await refusesEdit(company, section, id, { name }, error)
  assert.equal((await entry(company, section, id)).name, 'Its own name')
  await remove(company, section, id)
}

rule('records.error.name-empty', async () => {
  const company = await given.company()
  for (const section of sections) await refusesName(company, section, '', `${entityOf(section)} name must not be empty`)
})

rule('records.error.name-not-a-string', async () => {
  const company = await given.company()
  for (const section of sections)
    for (const name of [5, 0, ...noTexts])
      await refusesName(company, section, name, `${entityOf(section)} name must be a string`)
})

rule('records.error.name-too-long', async () => {
  const company = await given.company()
  for (const section of sections) {
    await refusesName(company, section, 'x'.repeat(256), 'Invalid name value. Must be at most 255 characters')
    for (const name of ['x'.repeat(255), '😀'.repeat(255)]) {
      const id = await add(company, section, { name })
      assert.equal((await entry(company, section, id)).name, name)
    }
  }
})

rule('records.error.name-not-text', async () => {
  const company = await given.company()
  for (const section of sections)
    for (const name of ['a\0b', 'a\ud800'])
      await refusesName(company, section, name, 'Invalid name value. Must be valid text')
})

rule('records.error.not-a-string', async () => {
  const company = await given.company()
  for (const section of sections) {
    const id = await add(company, section)
    for (const [field] of texts[section]) {
      const error = `Invalid ${field} value. Must be a string`
      for (const value of noTexts) {
        await refuses(company, `${section}/add`, { ...leastOf(section), [field]: value }, error)
        await refusesEdit(company, section, id, { [field]: value }, error)
      }
      await editChanges(company, section, id, { [field]: 4711 }, { [field]: '4711' })
    }
  }
})

rule('records.error.text-too-long', async () => {
  const company = await given.company()
  for (const section of sections) {
    const id = await add(company, section)
    for (const [field, most] of texts[section]) {
      if (most === undefined) continue
      const error = `Invalid ${field} value. Must be at most ${most} characters`
      await refuses(company, `${section}/add`, { ...leastOf(section), [field]: 'x'.repeat(most + 1) }, error)
      await refusesEdit(company, section, id, { [field]: 'x'.repeat(most + 1) }, error)
      await editChanges(company, section, id, { [field]: 'y'.repeat(most) }, { [field]: 'y'.repeat(most) })
    }
  }
})

rule('records.edit.partial', 'with only the id, or with only nulls, nothing changes', async () => {
  const company = await given.company()
  for (const section of sections) {
    const filled = Object.fromEntries(texts[section].map(([field]) => [field, `Some ${field}`]))
    const id = await add(company, section, filled)
    const before = await entry(company, section, id)
    await edit(company, section, id, {})
    await edit(company, section, id, Object.fromEntries(Object.keys(before).map((field) => [field, null])))
    assert.deepEqual(await entry(company, section, id), before)
  }
})

rule('records.edit.nothing-changed', async () => {
  const company = await given.company()
  for (const section of sections) {
    const filled = Object.fromEntries(texts[section].map(([field]) => [field, `Some ${field}`]))
    const id = await add(company, section, filled)
    const before = await entry(company, section, id)
    await edit(company, section, id, { ...filled, name: before.name })
    assert.deepEqual(await entry(company, section, id), before)
  }
})
