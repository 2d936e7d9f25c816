// Generates docs/sql: every declared statement, formatted, with its parameters and the methods that use it to read.

import type { RequestContext } from '../kernel/clock.ts'
import type { Method } from '../kernel/method.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { DeclaredStatement } from '../kernel/statement.ts'
import { formatSql } from './format-sql.ts'

const context: RequestContext = { companyId: 1, connectionId: null, userId: 1, requestId: 'req_1', source: 'manual' }

/** Requests whose statements are collected: the example of the method, and pages, searches and orders of a list. */
function requestsOf(method: Method): object[] {
  const { shape } = method.input.schema as {
    shape?: Readonly<Record<string, { unwrap?: () => { options?: string[] } }>>
  }
  const example = method.example.request
  if (method.kind !== 'read' || shape?.['limit'] === undefined) return [example]
  const orders = shape['sort']?.unwrap?.().options ?? []
  return [
    example,
    { limit: 1 },
    { limit: 1, offset: 1 },
    ...(shape['search'] === undefined ? [] : [{ limit: 1, search: 'a' }]),
    ...orders.flatMap((sort) => ['asc', 'desc'].map((direction) => ({ limit: 1, sort, direction }))),
  ]
}

/** The names of the statements that a method uses to read: the query of a read, the facts of a write. */
function readsOf(method: Method): string[] {
  return requestsOf(method).flatMap((request) => {
    try {
      const input = method.input.read(request as never)
      return [(method.kind === 'read' ? method.query(input, context) : method.facts(input, context)).name]
    } catch (error) {
      if (error instanceof Refusal) return []
      throw error
    }
  })
}

export function sqlDocuments(
  statements: ReadonlyMap<string, DeclaredStatement>,
  methods: readonly Method[],
): Map<string, string> {
  const senders = new Map<string, Set<string>>()
  for (const method of methods)
    for (const name of readsOf(method)) senders.set(name, (senders.get(name) ?? new Set()).add(method.path))
  const sections = Map.groupBy([...statements.keys()].toSorted(), (name) => name.split('.', 1)[0] ?? '')
  return new Map(
    [...sections].map(([section, names]) => {
      const shown: ShownStatement[] = []
      for (const name of names) shown.push(showStatement(name, statements.get(name), senders.get(name), shown))
      return [`${section}.sql`, shown.map(({ head, body }) => `${[...head, ...body].join('\n')}\n`).join('\n')]
    }),
  )
}

type ShownStatement = {
  readonly name: string
  readonly head: string[]
  readonly lines: string[]
  readonly body: string[]
}

/** A statement that differs from an earlier one only in its ORDER BY lines is shown by those lines. */
function showStatement(
  name: string,
  declared: DeclaredStatement | undefined,
  senders: ReadonlySet<string> | undefined,
  earlier: readonly ShownStatement[],
): ShownStatement {
  if (declared === undefined) throw new Error(`statement ${name} is not declared`)
  const { parameters, sql } = declared
  const head = [
    `-- ${name}`,
    ...(parameters.length === 0 ? [] : [`-- parameters: ${parameters.join(', ')}`]),
    ...(senders === undefined ? [] : [`-- read by: ${[...senders].toSorted().join(', ')}`]),
  ]
  const lines = formatSql(sql).split('\n')
  const [first = '', ...rest] = lines.toReversed()
  const whole = [...rest.toReversed(), `${first};`]
  if (!/_(?:asc|desc)$/.test(name)) return { name, head, lines, body: whole }
  const list = name.split('.by_', 1)[0]
  const like = earlier.find((one) => one.name.startsWith(`${list}.by_`) && one.lines.length === lines.length)
  const changed = lines.filter((line, at) => line !== like?.lines[at])
  if (like === undefined || !changed.every((line) => line.trimStart().startsWith('order by')))
    return { name, head, lines, body: whole }
  return { name, head, lines, body: [`-- as ${like.name}, but ${changed.map((line) => line.trim()).join(' … ')}`] }
}
