// Adds a method in a clean clone by the six steps of CONTRIBUTING.md and nothing else: the quick check and the method's own test pass.

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { root } from '../structure/architecture.ts'
import { CleanClone } from './newcomer/clean-clone.ts'

const clone = new CleanClone()
after(() => clone.remove())

function write(path: string, text: string): void {
  const file = join(clone.folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Inserts the text after the line that ends with the given one. */
function insert(path: string, line: string, text: string): void {
  const before = readFileSync(join(clone.folder, path), 'utf8')
  const parts = before.split(`${line}\n`)
  assert.equal(parts.length, 2, `${path} has one line ${line}`)
  write(path, parts.join(`${line}\n${text}\n`))
}

const method = `// Writing out the short name of a unit.

import { z } from 'zod'
import { nameLength, required, requiredId, textRefusals, textValue } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'

type Facts = { readonly full_name: string | null }

const facts = statement<Facts, { company_id: number; unit_id: number }>(
  'units.find_full_name',
  'select (select u.full_name from units u where u.company_id = :company_id and u.id = :unit_id) as full_name',
)
const update = statement<never, { company_id: number; unit_id: number; full_name: string; at: string }>(
  'units.update_full_name',
  'update units set full_name = :full_name, updated_at = :at where company_id = :company_id and id = :unit_id',
)

export const spellOut = write({
  path: 'units/spell_out',
  summary: 'Write out the short name of a unit.',
  input: {
    schema: z.object({
      unit_id: z.int().describe('Id of the unit.'),
      words: z.string().describe('The name in words.'),
    }),
    read: (raw) => ({
      unitId: requiredId(raw, 'unit_id'),
      words: textValue(required(raw, 'words'), 'words', { max: nameLength }),
    }),
  },
  output: z.object({}),
  refusals: ['No unit_id in input', 'No words in input', ...textRefusals, 'Unit not found or access denied'],
  example: { request: { unit_id: 1, words: 'pieces' }, response: { success: true } },
  facts: ({ unitId }, { companyId }) => facts({ company_id: companyId, unit_id: unitId }),
  plan: ({ unitId, words }, { full_name: before }) => ({
    unitId,
    words,
    before: before ?? refuse('Unit not found or access denied', { code: 'record_not_found' }),
  }),
  write: ({ unitId, words, before }, { context, at }) => ({
    statements: [update({ company_id: context.companyId, unit_id: unitId, full_name: words, at })],
    event: { record: 'unit', recordId: unitId, change: { full_name: [before, words] } },
  }),
  response: () => ({}),
})
`

/** Not written out below, because the rules of all test files are collected from their text. */
const rule = 'rule'
const ownTest = `// The method that writes out the short name of a unit.

import assert from 'node:assert/strict'
import { given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

${rule}('units.spell_out', async () => {
  const company = await given.company()
  const reply = await company.call('units/spell_out', { unit_id: 1, words: 'pieces' })
  assert.deepEqual(reply.body, { success: true })
  assert.equal((await company.call('units/get_list')).body.units[0].full_name, 'pieces')
})

${rule}('units.spell_out.error.unknown', async () => {
  const company = await given.company()
  const reply = await company.call('units/spell_out', { unit_id: 404, words: 'pieces' })
  assert.equal(reply.body.error, 'Unit not found or access denied')
})
`

test('the quick check passes after a method was added by the six steps', async () => {
  const steps = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## Adding a method')[1]?.split('## ')[0]
  assert.deepEqual(steps?.match(/^\d\. \*\*[^*]+\*\*/gm), [
    '1. **Write down the rules.**',
    '2. **Declare the method.**',
    '3. **Decide.**',
    '4. **Write the SQL**',
    "5. **Add the method to its section's list.**",
    '6. **Test it over HTTP.**',
  ])
  await clone.run('npm ci')

  insert('server/test/rules/index.ts', '  ...comparedTextRules,', '  ...spellOutRules,')
  insert(
    'server/test/rules/index.ts',
    "import { skippedLineRules } from './skipped-lines.ts'",
    "import { spellOutRules } from './spell-out.ts'",
  )
  write(
    'server/test/rules/spell-out.ts',
    `// The rules of writing out the short name of a unit.

import type { Rule } from './rule.ts'

export const spellOutRules: readonly Rule[] = [
  { id: 'units.spell_out', text: 'The words are stored as the full name of the unit' },
  { id: 'units.spell_out.error.unknown', text: '\`Unit not found or access denied\`: no unit has the id' },
]
`,
  )
  write('server/reference/units/spell_out.ts', method)
  insert(
    'server/reference/units.ts',
    "import { type Entity, recordWrites, wholeList } from '../platform/lists/record-methods.ts'",
    "import { spellOut } from './units/spell_out.ts'",
  )
  insert('server/reference/units.ts', '  ...writes,', '  spellOut,')
  insert(
    'server/test/senders/scenario.ts',
    "  await call('units/edit', { unit_id, name: randomUUID() })",
    "  await call('units/spell_out', { unit_id, words: randomUUID() })",
  )
  write('server/reference/units/spell_out.test.ts', ownTest)
  insert('CHANGELOG.md', '### Fixed', '\n- `units/spell_out` writes out the short name of a unit.')
  await clone.run('npm run generate:senders')

  await clone.run('npm run check:quick')
  await clone.run('npm test -- server/reference/units/spell_out.test.ts')
})
