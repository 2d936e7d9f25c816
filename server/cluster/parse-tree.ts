// Reads PostgreSQL's parse tree of a statement from its text representation, so that the functions and tables of a statement come from the
// parser itself instead of regular expressions.

import type { Run } from './sharding-rules.ts'

export type TreeNode = { readonly tag: string; readonly fields: ReadonlyMap<string, readonly Tree[]> }
export type Tree = string | TreeNode | readonly Tree[]

export const isNode = (tree: Tree | undefined): tree is TreeNode => typeof tree === 'object' && 'tag' in tree

/** The single value of a field; undefined when it is empty. */
export function field(node: TreeNode, name: string): Tree | undefined {
  const value = node.fields.get(name)?.[0]
  return value === '<>' ? undefined : value
}

export const number = (node: TreeNode, name: string): number => Number(field(node, name))

export function list(node: TreeNode, name: string): readonly Tree[] {
  const value = field(node, name)
  return Array.isArray(value) ? value : []
}

// A word may contain escaped blanks and parentheses; texts are quoted.
const words = /[(){}]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}\\])+/gs

/** Reads `{TAG :field value …}`, `(a b c)` and words. */
export function readTree(text: string): Tree {
  const tokens = text.match(words) ?? []
  let at = 0
  const read = (): Tree => {
    const token = tokens[at++]
    if (token === undefined) throw new Error('the tree ends too early')
    if (token === '(') return readUntil(')')
    if (token !== '{') return token
    const tag = tokens[at++] ?? ''
    const fields = new Map<string, Tree[]>()
    let last: Tree[] = []
    for (const part of readUntil('}')) {
      if (typeof part === 'string' && part.startsWith(':')) {
        last = []
        fields.set(part.slice(1), last)
      } else last.push(part)
    }
    return { tag, fields }
  }
  const readUntil = (end: string): Tree[] => {
    const parts: Tree[] = []
    while (tokens[at] !== end) parts.push(read())
    at++
    return parts
  }
  return read()
}

/** Every node of the tree. The children of nodes for which `enter` is false are skipped. */
export function nodesIn(tree: Tree | undefined, enter: (node: TreeNode) => boolean = () => true): readonly TreeNode[] {
  const found: TreeNode[] = []
  const visit = (part: Tree): void => {
    if (isNode(part)) {
      found.push(part)
      if (enter(part)) for (const value of part.fields.values()) visit(value)
    } else if (Array.isArray(part)) for (const one of part) visit(one)
  }
  if (tree !== undefined) visit(tree)
  return found
}

/** PostgreSQL's parse tree of a statement with parameters. Everything it creates is rolled back. */
export async function parseStatement(run: Run, text: string): Promise<TreeNode> {
  await run('begin')
  try {
    await run(`prepare parsed as ${text}`)
    const types = await run(
      `select array_to_string(parameter_types, ', ') as types from pg_prepared_statements where name = 'parsed'`,
    )
    await run('deallocate parsed')
    // The body of such a function is stored as a tree, not as text.
    await run(
      `create function pg_temp.parsed(${types[0]?.['types'] ?? ''}) returns void language sql begin atomic ${text}; end`,
    )
    const body = await run(`select prosqlbody::text as tree from pg_proc where oid = 'pg_temp.parsed'::regproc`)
    const [query] = nodesIn(readTree(String(body[0]?.['tree'])))
    if (query === undefined) throw new Error(`PostgreSQL has no tree for: ${text}`)
    return query
  } finally {
    await run('rollback')
  }
}
