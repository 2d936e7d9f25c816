// Every statement that the server can send, found by importing the app, and every file that declares one.

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
  // Some sections declare statements through a function of another file.
  for (const path of ['server/app.ts', ...declaring.map((file) => file.path)]) await import(join(root, path))
  const statements = declaredStatements()
  assert.ok(
    ['sales.insert', 'clock.lock', 'transfers.insert'].every((name) => statements.has(name)),
    'statements were not declared by importing their files',
  )
  return statements
}

/** The text of each as it is sent to the database. */
export const everyStatement = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await everyDeclaration())].map(([name, { text }]) => [name, text]))
