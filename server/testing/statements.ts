// Every statement that the server can send, found by importing every file that declares one.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { declaredStatements } from '../kernel/statement.ts'
import { placeOf, readTree, root } from './architecture.ts'

export async function everyStatement(): Promise<ReadonlyMap<string, string>> {
  const declaring = readTree(['.ts']).filter(
    ({ path, text }) =>
      !['test', 'testing', 'bench', 'demo'].includes(String(placeOf(path))) && /\bkernel\/statement\.ts'/.test(text),
  )
  for (const { path } of declaring) await import(join(root, path))
  const statements = declaredStatements()
  assert.ok(
    statements.has('sales.insert') && statements.has('clock.advance'),
    'statements were not declared by importing their files',
  )
  return statements
}
