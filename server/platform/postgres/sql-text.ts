// SQL files as statements: split at the semicolons and commas that are not part of a text, a name, a comment or the body of a function.

/** A text, a name in quotes, a body between dollars, or a comment; everything else is read character by character. */
const wholes = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\//y

/** The parts of an SQL text between separators outside of parentheses, without comments and empty parts. */
function partsOf(sql: string, separator: ';' | ','): string[] {
  const parts: string[] = []
  let part = ''
  let depth = 0
  for (let at = 0; at < sql.length; ) {
    wholes.lastIndex = at
    const whole = wholes.exec(sql)?.[0]
    if (whole !== undefined) {
      part += /^(?:--|\/\*)/.test(whole) ? ' ' : whole
      at += whole.length
      continue
    }
    const character = sql.charAt(at++)
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === separator && depth === 0) {
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...parts, part].map((text) => text.trim()).filter((text) => text !== '')
}

export const statementsOf = (sql: string): string[] => partsOf(sql, ';')

const altersTable = /^alter\s+table\s+(?:only\s+)?(?:if\s+exists\s+)?[\w."]+\s/i

/** `alter table` with several commands as several statements, which have the same effect one after the other. */
export function singleCommandsOf(statement: string): string[] {
  const start = altersTable.exec(statement)?.[0]
  if (start === undefined) return [statement]
  return partsOf(statement.slice(start.length), ',').map((command) => `${start.trimEnd()} ${command}`)
}

const addsCheckedColumn =
  /^(alter\s+table\s+(\w+))\s+(add\s+column\s+(?:if\s+not\s+exists\s+)?(\w+)\s[\s\S]*?)\s+(?:constraint\s+(\w+)\s+)?(check\s*\([\s\S]*\))$/i

/** `add column … check (…)` as two statements; a check without a name has the one that PostgreSQL gives it. */
export function withoutColumnChecks(statement: string): string[] {
  const [, start, table, column, name, constraint = `${table}_${name}_check`, check] =
    addsCheckedColumn.exec(statement) ?? []
  if (check === undefined) return [statement]
  return [`${start} ${column}`, `${start} add constraint ${constraint} ${check}`]
}
