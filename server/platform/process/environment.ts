// Reads declared variables from the environment: secrets also from files, and every problem as a sentence that names the variable and what it must be.

import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { foreignVariables, similarNames } from './variable-names.ts'

export type Variables = z.ZodObject<Readonly<Record<string, z.ZodType>>>

/** What `.meta()` of a variable may contain besides its description. */
type Meta = {
  readonly description?: string
  /** What a value must be, as the end of a sentence: "a whole number from 1 to 64". */
  readonly values?: string
  /** Marks a secret. How the value is shown without it. */
  readonly shown?: (value: string) => string
}

export type Variable = {
  readonly name: string
  readonly about: string
  readonly values: string | undefined
  readonly unset: unknown
  /** A secret may also be in a file, named by the variable with this name. */
  readonly fileName: string | undefined
  readonly shown: (value: string) => string
}

export type Reading<T> =
  | { readonly config: T; readonly sources: ReadonlyMap<string, string>; readonly warnings: readonly string[] }
  | { readonly problems: readonly string[] }

export const describeVariables = ({ shape }: Variables): Variable[] =>
  Object.entries(shape).map(([name, schema]) => {
    const meta = { ...metaOf(innerOf(schema)), ...metaOf(schema) }
    return {
      name,
      about: meta.description ?? '',
      values: meta.values,
      unset: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined,
      fileName: meta.shown === undefined ? undefined : `${name}_FILE`,
      shown: meta.shown ?? ((value) => value),
    }
  })

const innerOf = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? innerOf(schema.unwrap() as z.ZodType) : schema
const metaOf = (schema: z.ZodType): Meta => (schema.meta() ?? {}) as Meta

/** An empty variable counts as not set. */
export function readEnvironment<S extends Variables>(schema: S, env: NodeJS.ProcessEnv): Reading<z.infer<S>> {
  const variables = describeVariables(schema)
  const names = variables.flatMap(({ name, fileName }) => (fileName === undefined ? [name] : [name, fileName]))
  const set = new Map(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const problems = foreignVariables(set, names)
  const texts = new Map<string, string>()
  const sources = new Map<string, string>()
  for (const { name, fileName = '' } of variables) {
    const [text, file] = [set.get(name), set.get(fileName)]
    if (text !== undefined && file !== undefined)
      problems.push(`${name} and ${fileName} are both set. Set one of them.`)
    if (text !== undefined) sources.set(name, 'environment')
    if (text !== undefined) texts.set(name, text)
    if (text !== undefined || file === undefined) continue
    sources.set(name, `file ${file}`)
    try {
      texts.set(name, readSecret(file))
    } catch (error) {
      problems.push(`${fileName} names ${file}, which ${error instanceof Error ? error.message : error}.`)
    }
  }
  const result = schema.safeParse(Object.fromEntries(texts))
  const wrong = new Map(result.error?.issues.map(({ path, message }) => [String(path[0]), message]))
  for (const variable of variables) {
    const message = wrong.get(variable.name)
    // A file that could not be read is reported above.
    if (message === undefined || (sources.has(variable.name) && !texts.has(variable.name))) continue
    problems.push(problemOf(variable, texts.get(variable.name), message))
  }
  if (problems.length > 0 || !result.success) return { problems }
  return { config: result.data, sources, warnings: similarNames(set, names) }
}

function problemOf({ name, values, fileName }: Variable, text: string | undefined, message: string): string {
  const must = values === undefined ? message : `must be ${values}`
  if (text === undefined) return `${name} is not set. It ${must}.`
  // A secret is not repeated in a log.
  return fileName === undefined ? `${name} ${must}, not "${text.slice(0, 200)}".` : `${name} ${must}.`
}

const maxSecretBytes = 65_536

/** Throws an error whose message is the end of a sentence about the file. */
function readSecret(file: string): string {
  let text: string
  try {
    if (statSync(file).size > maxSecretBytes) throw new Error('is larger than 64 KiB')
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const code = (error as { code?: string }).code
    throw code === undefined ? error : new Error(`cannot be read (${code})`)
  }
  if (text === '') throw new Error('is empty')
  return text
}
