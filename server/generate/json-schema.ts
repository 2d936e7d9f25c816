// Converts the zod declarations of a method to JSON Schema, from which the OpenAPI document, the reference and the client are generated.

import { z } from 'zod'
import { type Declared, type Method, recordNameKey, shownOfKey } from '../kernel/method.ts'

export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  /** The records that the field shows. */
  readonly [shownOfKey]?: readonly string[]
  /** Its name in the OpenAPI document. */
  readonly [recordNameKey]?: string
}

/** Schemas with a name (`meta({ id })`), which others refer to as `#/$defs/<name>`. */
export type NamedSchemas = Readonly<Record<string, JsonSchema>>

export type Shape = {
  readonly fields: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

export type Shapes = {
  readonly requests: ReadonlyMap<string, Shape>
  /** Responses without `success`. */
  readonly answers: ReadonlyMap<string, Shape>
  readonly named: NamedSchemas
}

export const publicMethods = (methods: readonly Method[]): readonly Method[] =>
  methods.filter((method) => method.api === 'public')

/** `orders/add` belongs to the section `orders`. */
export const sectionOf = (method: Method): string => method.path.split('/')[0] ?? ''

export function bySection(methods: readonly Method[]): ReadonlyMap<string, readonly Method[]> {
  return Map.groupBy(publicMethods(methods), sectionOf)
}

export const shapes = (methods: readonly Method[]): Shapes => shapesOf(publicMethods(methods))

export function shapesOf(methods: readonly Declared[]): Shapes {
  const named: Record<string, JsonSchema> = {}
  const requests = new Map<string, Shape>()
  const answers = new Map<string, Shape>()
  for (const method of methods) {
    requests.set(method.path, shape(method.input.schema, 'input', named))
    answers.set(method.path, shape(method.output, 'output', named))
  }
  return { requests, answers, named }
}

const definitions = '#/$defs/'

export const refName = (schema: JsonSchema): string | undefined =>
  schema.$ref?.startsWith(definitions) === true ? schema.$ref.slice(definitions.length) : undefined

/** Follows a reference, keeping the description of the place where it is used. */
export function resolve(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  const name = refName(schema)
  if (name === undefined) return schema
  const target = named[name]
  if (target === undefined) throw new Error(`no schema has the name ${name}`)
  return schema.description === undefined ? target : { ...target, description: schema.description }
}

function shape(declared: z.ZodObject, io: 'input' | 'output', named: Record<string, JsonSchema>): Shape {
  const { $defs = {}, ...root } = z.toJSONSchema(declared, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'throw',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  })
  for (const [name, definition] of Object.entries($defs)) {
    const known = named[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`two different schemas have the name ${name}`)
    }
    named[name] = definition as JsonSchema
  }
  const { properties = {}, required = [] } = resolve(root as JsonSchema, named)
  return { fields: properties, required }
}

/** Removes what does not help a reader, and what would forbid additional fields in responses. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format === 'date') delete schema.pattern
  if (schema.type === 'number' && schema.enum?.every(Number.isInteger) === true) schema.type = 'integer'
}
