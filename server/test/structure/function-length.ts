// The length of each function of a file, determined from the formatter's layout: a function ends at the indentation it starts at.
// Only named functions count. An anonymous callback belongs to the function around it; the body of a test, a callback at the top level of
// its file, is a list of steps and does not count.

import type { SourceFile } from './architecture.ts'

export type FunctionLength = { readonly name: string; readonly line: number; readonly lines: number }

export const maxLines = 70

/** Ways to start a function. Where a start ends with an opening bracket, the text after its closing bracket decides. */
const starts = [
  { start: /^(\s*)(?:export )?(?:default )?(?:async )?function\*? ?(\w+)/, follows: undefined },
  // const name = (…) => …, also as the first argument of a call: memo((…) => …)
  {
    start: /^(\s*)(?:export )?const (\w+)(?:: [^=]+)? = (?:\w+(?:<[^>]*>)?\()?(?:async )?(?:<[^>]*>)?\(/,
    follows: /^(?:: [^;]*?)? =>/,
  },
  { start: /^(\s+)(\w+): (?:async )?\(/, follows: /^(?:: [^;]*?)? =>/ },
  // name(…) { … } in a class or an object
  {
    start:
      /^(\s+)(?:(?:static|async|override|get|set) )*(?!(?:if|for|while|switch|catch|return|function)\b)(#?\w+)(?:<[^>]*>)?\(/,
    follows: /^(?:: [^;]*?)? \{$/m,
  },
] as const

/** Every named function of a file with its lines, including nested ones. */
export function functionLengths({ text }: SourceFile): FunctionLength[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const found = startOf(line, lines, at)
    return found === undefined ? [] : [{ name: found.name, line: at + 1, lines: linesFrom(lines, at, found.indent) }]
  })
}

function startOf(line: string, lines: readonly string[], at: number): { name: string; indent: number } | undefined {
  for (const { start, follows } of starts) {
    const [head, indent = '', name = ''] = start.exec(line) ?? []
    if (head === undefined) continue
    if (follows === undefined) return { name, indent: indent.length }
    const rest = [line.slice(head.length), ...lines.slice(at + 1, at + maxLines)].join('\n')
    if (follows.test(afterBracket(rest))) return { name, indent: indent.length }
  }
  return undefined
}

/** The text after the bracket that closes one opened before it. Quoted texts are skipped. */
function afterBracket(text: string): string {
  let open = 1
  for (const match of text.matchAll(/'(?:[^'\\\n]|\\.)*'|`[^`]*`|[()]/g)) {
    if (match[0] === '(') open += 1
    else if (match[0] === ')') open -= 1
    if (open === 0) return text.slice(match.index + 1)
  }
  return ''
}

/** Lines from a start to the last line that is indented more, or closes a bracket at the same indentation. */
function linesFrom(lines: readonly string[], at: number, indent: number): number {
  let end = at
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next] ?? ''
    if (line.trim() === '') continue
    const depth = line.length - line.trimStart().length
    if (depth < indent || (depth === indent && !/^[)\]}>`]/.test(line.trimStart()))) break
    end = next
  }
  return end - at + 1
}

/** Functions that are too long. `exceptions` are names by path; an unnecessary one is reported too. */
export function functionComplaints(
  files: readonly SourceFile[],
  exceptions: Readonly<Record<string, readonly string[]>> = {},
): string[] {
  const long = files.flatMap((file) =>
    functionLengths(file)
      .filter(({ lines }) => lines > maxLines)
      .map(({ name, lines }) => ({ path: file.path, name, lines })),
  )
  const tooLong = long.filter(({ path, name }) => exceptions[path]?.includes(name) !== true)
  const needless = Object.entries(exceptions).flatMap(([path, names]) =>
    names
      .filter((name) => !long.some((one) => one.path === path && one.name === name))
      .map((name) => `${path} ${name}`),
  )
  return [
    ...tooLong.map(({ path, name, lines }) => `${path}: ${name} has ${lines} lines, more than ${maxLines}`),
    ...needless.map((one) => `${one} needs no exception`),
  ]
}
