// Formats SQL: one clause per line, indented subqueries, long lists with one item per line. Only white space changes.

type Token = { readonly text: string; readonly isApart: boolean }
type Group = { readonly nodes: readonly Node[]; readonly isApart: boolean }
type Node = Token | Group

const widest = 110
const tokens = /(\s*)(e?'(?:[^']|'')*'|"[^"]*"|::|:[a-z_]\w*|[\w$.]+|[<>=!|&~@#*+/-]+|\[|\]|[(),;:?])/giy

export function formatSql(sql: string): string {
  const formatted = queryLines(parse(sql), 0).join('\n')
  const letters = (text: string): string => text.replaceAll(/\s/g, '')
  if (letters(formatted) !== letters(sql)) throw new Error(`formatting would change more than white space: ${sql}`)
  return formatted
}

function parse(sql: string): readonly Node[] {
  const stack: { nodes: Node[]; isApart: boolean }[] = [{ nodes: [], isApart: false }]
  for (const [, space = '', text = ''] of sql.trim().matchAll(tokens)) {
    const top = stack.at(-1)
    if (top === undefined) throw new Error('a closing parenthesis without an opening one')
    const isApart = space !== ''
    if (text === '(') stack.push({ nodes: [], isApart })
    else if (text === ')') {
      stack.pop()
      stack.at(-1)?.nodes.push(top)
    } else top.nodes.push({ text, isApart })
  }
  return stack[0]?.nodes ?? []
}

const wordOf = (node: Node | undefined): string => (node !== undefined && 'text' in node ? node.text.toLowerCase() : '')

function inline(nodes: readonly Node[]): string {
  return nodes
    .map((node, at) => {
      const text = 'text' in node ? node.text : `(${inline(node.nodes)})`
      return node.isApart && at > 0 ? ` ${text}` : text
    })
    .join('')
}

const isQuery = (nodes: readonly Node[]): boolean => ['select', 'with', 'values'].includes(wordOf(nodes[0]))

const clauses = [
  'select',
  'from',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'offset',
  'union',
  'values',
  'returning',
]

/** Whether a clause of a query starts at this node. */
function startsClause(nodes: readonly Node[], at: number): boolean {
  const [before, word, after] = [wordOf(nodes[at - 1]), wordOf(nodes[at]), wordOf(nodes[at + 1])]
  if (word === 'from') return before !== 'delete' && before !== 'distinct'
  if (word === 'join') return !['left', 'cross', 'right', 'inner'].includes(before)
  if (['left', 'cross'].includes(word)) return after === 'join'
  if (word === 'on') return after === 'conflict'
  if (word === 'set') return at > 0
  return at > 0 && clauses.includes(word)
}

function split(nodes: readonly Node[], starts: (at: number) => boolean): Node[][] {
  const parts: Node[][] = [[]]
  for (const [at, node] of nodes.entries()) {
    if (at > 0 && starts(at)) parts.push([])
    parts.at(-1)?.push(node)
  }
  return parts
}

const pad = (depth: number): string => '  '.repeat(depth)

function queryLines(nodes: readonly Node[], depth: number): string[] {
  return split(nodes, (at) => startsClause(nodes, at)).flatMap((clause) => partLines(clause, depth))
}

/** A clause or one of its items, on one line if it fits. */
function partLines(nodes: readonly Node[], depth: number): string[] {
  const line = `${pad(depth)}${inline(nodes)}`
  if (line.length <= widest) return [line]
  const items = itemsOf(nodes)
  if (items.length > 1) return items.flatMap((item, at) => partLines(item, at === 0 ? depth : depth + 1))
  return openedLines(nodes, depth)
}

/** Items separated by commas; otherwise by AND and OR, then by concatenation, then by the branches of CASE. */
function itemsOf(nodes: readonly Node[]): Node[][] {
  const byComma = split(nodes, (at) => wordOf(nodes[at - 1]) === ',')
  if (byComma.length > 1) return byComma
  const before = (at: number) => nodes.slice(0, at).findLast((node) => ['between', 'and', 'or'].includes(wordOf(node)))
  const isBetween = (at: number): boolean => wordOf(before(at)) === 'between'
  const byAnd = split(nodes, (at) => ['and', 'or'].includes(wordOf(nodes[at])) && !isBetween(at))
  if (byAnd.length > 1) return byAnd
  const byMember = split(nodes, (at) => wordOf(nodes[at]) === '||' && /^'[,{}\][]/.test(wordOf(nodes[at + 1])))
  if (byMember.length > 1) return byMember
  return split(nodes, (at) => ['when', 'else', 'end'].includes(wordOf(nodes[at])))
}

/** Puts the content of the longest parenthesis on separate lines. */
function openedLines(nodes: readonly Node[], depth: number): string[] {
  const lengths = nodes.map((node) => ('text' in node ? 0 : inline(node.nodes).length))
  const at = lengths.indexOf(Math.max(...lengths))
  const group = nodes[at]
  if (group === undefined || 'text' in group) return [`${pad(depth)}${inline(nodes)}`]
  const inner = isQuery(group.nodes) ? queryLines(group.nodes, depth + 1) : partLines(group.nodes, depth + 1)
  const rest = nodes.slice(at + 1)
  const [first = '', ...others] = partLines(rest, depth)
  const closing = rest[0]?.isApart === true ? `) ${first.trimStart()}` : `)${first.trimStart()}`
  const opening = `${inline(nodes.slice(0, at))}${group.isApart && at > 0 ? ' ' : ''}(`
  return [`${pad(depth)}${opening}`, ...inner, `${pad(depth)}${closing.trimEnd()}`, ...others]
}
