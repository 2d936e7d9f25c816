// Moves the records that have a name out of the shapes of the methods, so that the OpenAPI document contains each of them once.

import { recordNameKey } from '../kernel/method.ts'
import type { JsonSchema, NamedSchemas, Shape, Shapes } from './json-schema.ts'

export function withNamedRecords({ requests, answers, named }: Shapes): Shapes {
  const found: Record<string, JsonSchema> = {}
  const moved = (schema: JsonSchema): JsonSchema => {
    const { [recordNameKey]: name, ...inner } = inside(schema, moved)
    if (name === undefined) return inner
    const { description, ...record } = inner
    const known = found[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(record))
      throw new Error(`two different records have the name ${name}`)
    found[name] = record
    return { $ref: `#/$defs/${name}`, ...(description === undefined ? {} : { description }) }
  }
  const ofShape = ({ fields, required }: Shape): Shape => ({ fields: mapped(fields, moved), required })
  const all = (shapes: ReadonlyMap<string, Shape>): ReadonlyMap<string, Shape> =>
    new Map([...shapes].map(([path, shape]) => [path, ofShape(shape)]))
  const [sent, received, others] = [all(requests), all(answers), mapped(named, moved)]
  return { requests: sent, answers: received, named: { ...others, ...found } }
}

/** The schema with every schema inside it replaced. */
function inside(schema: JsonSchema, replace: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf, allOf, additionalProperties } = schema
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: mapped(properties, replace) }),
    ...(items === undefined ? {} : { items: replace(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(replace) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(replace) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(replace) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: replace(additionalProperties) } : {}),
  }
}

const mapped = (schemas: NamedSchemas, replace: (inner: JsonSchema) => JsonSchema): NamedSchemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, replace(schema)]))
