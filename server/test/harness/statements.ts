// Every statement that the server can send, found by importing every file that declares one.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type DeclaredStatement, declaredStatements } from '../../kernel/statement.ts'
import { placeOf, readTree, root } from '../structure/architecture.ts'

export async function everyDeclaration(): Promise<ReadonlyMap<string, DeclaredStatement>> {
  const declaring = readTree(['.ts']).filter(
    ({ path, text }) =>
      !['test', 'harness', 'bench', 'demo'].includes(String(placeOf(path))) &&
      /\bkernel\/(?:statement|insert-rows)\.ts'/.test(text),
  )
  for (const { path } of declaring) await import(join(root, path))
  const statements = declaredStatements()
  assert.ok(
    statements.has('sales.insert') && statements.has('clock.lock'),
    'statements were not declared by importing their files',
  )
  return statements
}

/** The text of each as it is sent to the database. */
export const everyStatement = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await everyDeclaration())].map(([name, { text }]) => [name, text]))
