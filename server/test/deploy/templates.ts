// Renders the part of Go's template language that the chart uses. Anything else is an error, so the chart cannot outgrow it unnoticed.

import { stringify } from 'yaml'

export class TemplateError extends Error {}

type Block = 'if' | 'with' | 'range' | 'define'
type Node =
  | { readonly text: string }
  | { readonly output: string }
  | { readonly block: Block; readonly head: string; readonly body: readonly Node[] }

type Scope = {
  readonly root: object
  readonly dot: unknown
  readonly variables: Readonly<Record<string, unknown>>
  readonly defined: ReadonlyMap<string, readonly Node[]>
}

/** Renders the files with the templates that all of them define, by the name of the file. */
export function renderAll(files: ReadonlyMap<string, string>, root: object): Map<string, string> {
  const parsed = [...files].map(([name, text]) => [name, parseTemplate(text)] as const)
  const blocks = parsed.flatMap(([, nodes]) => nodes).filter((node) => 'block' in node)
  const defined = new Map(
    blocks.filter(({ block }) => block === 'define').map(({ head, body }) => [JSON.parse(head), body]),
  )
  const scope: Scope = { root, dot: root, variables: {}, defined }
  return new Map(parsed.map(([name, nodes]) => [name, render(nodes, scope)]))
}

/** A hyphen at an end of an action removes the blanks and line breaks next to it. */
function parseTemplate(text: string): readonly Node[] {
  const open: { block: Block | undefined; head: string; body: Node[] }[] = [{ block: undefined, head: '', body: [] }]
  const last = () => open.at(-1) as (typeof open)[number]
  let rest = text
  for (;;) {
    const action = /\{\{(-?)\s*((?:"(?:[^"\\]|\\.)*"|[^"}])*?)\s*(-?)\}\}/.exec(rest)
    if (action === null) break
    const [whole, trimsBefore, content = '', trimsAfter] = action
    const before = rest.slice(0, action.index)
    last().body.push({ text: trimsBefore === '' ? before : before.trimEnd() })
    rest = rest.slice(action.index + whole.length)
    if (trimsAfter !== '') rest = rest.trimStart()
    const [, word = '', head = ''] = /^(\S+)\s*(.*)$/.exec(content) ?? []
    if (word === 'if' || word === 'with' || word === 'range' || word === 'define') {
      open.push({ block: word, head, body: [] })
    } else if (word === 'end') {
      const { block, head: opened, body } = open.pop() ?? last()
      if (block === undefined) throw new TemplateError('"end" without a block')
      last().body.push({ block, head: opened, body })
    } else last().body.push({ output: content })
  }
  if (open.length > 1) throw new TemplateError(`"${last().block} ${last().head}" has no end`)
  last().body.push({ text: rest })
  return last().body
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

function render(nodes: readonly Node[], scope: Scope): string {
  return nodes
    .map((node) => {
      if ('text' in node) return node.text
      if ('output' in node) return shown(evaluate(node.output, scope))
      return renderBlock(node, scope)
    })
    .join('')
}

function renderBlock({ block, head, body }: Extract<Node, { block: Block }>, scope: Scope): string {
  if (block === 'define') return ''
  if (block === 'range') {
    const [, key = '', item = '', of = ''] = /^\$(\w+), \$(\w+) := (.+)$/.exec(head) ?? []
    const entries = Object.entries((evaluate(of, scope) ?? {}) as object).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return entries
      .map(([name, value]) =>
        render(body, { ...scope, dot: value, variables: { ...scope.variables, [key]: name, [item]: value } }),
      )
      .join('')
  }
  const value = evaluate(head, scope)
  if (isEmpty(value)) return ''
  return render(body, block === 'with' ? { ...scope, dot: value } : scope)
}

function shown(value: unknown): string {
  if (typeof value === 'object' || value === undefined) throw new TemplateError(`${JSON.stringify(value)} is no text`)
  return String(value)
}

const indented = (count: number, text: string): string => text.replaceAll(/^/gm, ' '.repeat(count))

/** Go calls a value by its default format with %v and %s. */
const formatted = (format: string, values: readonly unknown[]): string => {
  const left = [...values]
  return format.replaceAll(/%[sv]/g, () => shown(left.shift()))
}

type Function = (scope: Scope, ...values: never[]) => unknown
const functions: Readonly<Record<string, Function>> = {
  include: (scope, name: string, dot: object) => {
    const body = scope.defined.get(name)
    if (body === undefined) throw new TemplateError(`the template "${name}" is not defined`)
    return render(body, { ...scope, root: dot, dot, variables: {} })
  },
  toYaml: (_, value: unknown) => stringify(value).trimEnd(),
  nindent: (_, count: number, text: string) => `\n${indented(count, text)}`,
  quote: (_, value: unknown) => JSON.stringify(shown(value)),
  default: (_, other: unknown, value: unknown) => (isEmpty(value) ? other : value),
  printf: (_, format: string, ...values: unknown[]) => formatted(format, values),
  '.Files.Get': ({ root }, path: string) => (root as { Files: ReadonlyMap<string, string> }).Files.get(path) ?? '',
  hasKey: (_, value: object, name: string) => Object.hasOwn(value, name),
  add: (_, a: number, b: number) => a + b,
  required: (_, message: string, value: unknown) => {
    if (isEmpty(value)) throw new TemplateError(message)
    return value
  },
}

const operand = /"(?:[^"\\]|\\.)*"|\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)|\||[^\s|()]+/g

/** A pipeline: the result of each call is the last argument of the next one. */
function evaluate(pipeline: string, scope: Scope): unknown {
  const calls: string[][] = [[]]
  for (const [token] of pipeline.matchAll(operand)) {
    if (token === '|') calls.push([])
    else calls.at(-1)?.push(token)
  }
  let piped: unknown[] = []
  for (const [first = '', ...others] of calls) {
    const called = functions[first]
    const values = [...others.map((one) => valueAt(one, scope)), ...piped]
    if (called !== undefined) piped = [called(scope, ...(values as never[]))]
    else if (values.length === 0) piped = [valueAt(first, scope)]
    else throw new TemplateError(`"${first}" is not a function that the tests know`)
  }
  return piped[0]
}

function valueAt(token: string, scope: Scope): unknown {
  if (token.startsWith('"')) return JSON.parse(token)
  if (token.startsWith('(')) return evaluate(token.slice(1, -1), scope)
  if (/^\d+$/.test(token)) return Number(token)
  const [, variable, path = ''] = /^(?:\$(\w*))?(?:\.([\w.]*))?$/.exec(token) ?? []
  if (!/^[$.]/.test(token)) throw new TemplateError(`"${token}" is not understood`)
  const start = variable === undefined ? scope.dot : variable === '' ? scope.root : scope.variables[variable]
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce<unknown>((value, name) => {
      const own = value as Record<string, unknown> | undefined
      if (own === undefined || !Object.hasOwn(own, name)) throw new TemplateError(`${token}: there is no "${name}"`)
      return own[name]
    }, start)
}
