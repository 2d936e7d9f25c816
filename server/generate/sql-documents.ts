// Generates docs/sql: every declared statement, formatted, with its parameters and the methods that send it.

import type { DeclaredStatement } from '../kernel/statement.ts'
import { formatSql } from './format-sql.ts'

/** The methods, commands and timers that send each statement, by its name. */
export type Senders = Readonly<Record<string, readonly string[]>>

export function sqlDocuments(
  statements: ReadonlyMap<string, DeclaredStatement>,
  senders: Senders,
): Map<string, string> {
  const all = [...statements]
  const main = all.flatMap(([name, { variantOf }]) => (variantOf === undefined ? [name] : [])).toSorted()
  refuseDifferentNames(main, Object.keys(senders))
  const variants = Map.groupBy(
    all.filter(([, { variantOf }]) => variantOf !== undefined),
    ([, { variantOf }]) => variantOf,
  )
  const sections = Map.groupBy(main, (name) => name.split('.', 1)[0] ?? '')
  return new Map(
    [...sections].map(([section, names]) => {
      const shown: ShownStatement[] = []
      for (const name of names) {
        shown.push(showStatement(name, statements.get(name), senders[name] ?? [], shown))
        shown.push(...showVariants(variants.get(name) ?? []))
      }
      return [`${section}.sql`, shown.map(({ head, body }) => `${[...head, ...body].join('\n')}\n`).join('\n')]
    }),
  )
}

function refuseDifferentNames(declared: readonly string[], sent: readonly string[]): void {
  const unsent = declared.filter((name) => !sent.includes(name))
  const undeclared = sent.filter((name) => !declared.includes(name))
  const complaints = [
    ...unsent.map((name) => `${name} has no recorded sender`),
    ...undeclared.map((name) => `${name} has recorded senders and is not declared`),
  ]
  if (complaints.length > 0)
    throw new Error(
      `${complaints.join('; ')}. Run "npm run generate:senders"; server/test/senders/scenario.ts must send each statement`,
    )
}

type ShownStatement = {
  readonly name: string
  readonly head: string[]
  readonly lines: string[]
  readonly body: string[]
}

/** Of the variants of a statement only the last one is shown whole, which has the most rows or look-ups. */
function showVariants(variants: readonly (readonly [name: string, DeclaredStatement])[]): ShownStatement[] {
  const last = variants.at(-1)
  if (last === undefined) return []
  const [name, { sql, variantOf }] = last
  const others = variants.slice(0, -1).map(([other]) => other.slice((variantOf ?? '').length))
  const head = [
    `-- ${name}`,
    `-- a variant of ${variantOf}${others.length === 0 ? '' : `; the others between the two: ${others.join(', ')}`}`,
  ]
  return [{ name, head, lines: [], body: [`${formatSql(sql)};`] }]
}

/** A statement that differs from an earlier one only in its ORDER BY lines is shown by those lines. */
function showStatement(
  name: string,
  declared: DeclaredStatement | undefined,
  senders: readonly string[],
  earlier: readonly ShownStatement[],
): ShownStatement {
  if (declared === undefined) throw new Error(`statement ${name} is not declared`)
  const { parameters, sql } = declared
  const head = [
    `-- ${name}`,
    ...(parameters.length === 0 ? [] : [`-- parameters: ${parameters.join(', ')}`]),
    `-- sent by: ${senders.join(', ')}`,
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
