// The OpenAPI document is valid, complete and consistent with the declarations.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { z } from 'zod'
import type { Method } from '../kernel/method.ts'
import { methods } from '../methods.ts'
import { methodPath } from '../platform/http/paths.ts'
import { plantedMethods, plantedPath } from '../test/harness/planted-methods.ts'
import { openapi } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests access the document by field names
type Document = any

const documentOf = (declared: readonly Method[], path: (path: string) => string): Document =>
  JSON.parse(JSON.stringify(openapi(declared, { methodPath: path, baseUrl: 'https://kontor.example.com' })))
const planted = (): Document => documentOf(plantedMethods, plantedPath)
const real = (): Document => documentOf(methods, methodPath)

/** A validator for a schema of the document and the schemas it refers to. */
const checker = (document: Document, schema: object): z.ZodType => {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas })
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
}

/** What two published validators say about a document. They change what they are given. */
async function complaints(document: Document): Promise<readonly [schema: string, parser: string]> {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  const parsed = await validate(structuredClone(document)).catch((error: Error) => ({ valid: false, errors: [error] }))
  return [valid ? '' : JSON.stringify(errors), parsed.valid ? '' : parsed.errors.map((one) => one.message).join('\n')]
}

test('the documents of the test methods and of the real methods are valid OpenAPI 3.1', async () => {
  assert.deepEqual(await complaints(planted()), ['', ''])
  assert.deepEqual(await complaints(real()), ['', ''])
})

test('errors in an invalid document are reported by both validators', async () => {
  const add = '/planted/things/add'
  const faults: readonly ((document: Document) => void)[] = [
    (document) => delete document.info.title,
    (document) => (document.paths[add].post.sumary = 'x'),
    (document) => delete document.components.schemas.PlantedThing,
    (document) => (document.paths['other'] = { post: { operationId: 'x', responses: {} } }),
    (document) => delete document.paths[add].post.responses['200'].description,
    (document) => (document.components.responses.Busy.content['application/json'].example = 1),
  ]
  for (const spoil of faults) {
    const document = planted()
    spoil(document)
    for (const complaint of await complaints(document)) assert.notEqual(complaint, '', String(spoil))
  }
})

test('what the validators do not check: tags are listed, security schemes declared, and required fields exist', () => {
  const document = real()
  const tags = document.tags.map(({ name }: Document) => name)
  for (const { post } of Object.values<Document>(document.paths))
    for (const tag of post.tags) assert.ok(tags.includes(tag), tag)
  for (const scheme of document.security.flatMap(Object.keys))
    assert.ok(scheme in document.components.securitySchemes, scheme)
  const visit = (schema: Document): void => {
    if (typeof schema !== 'object' || schema === null) return
    if (Array.isArray(schema.required) && schema.properties !== undefined)
      for (const field of schema.required) assert.ok(field in schema.properties, field)
    for (const inner of Object.values(schema)) visit(inner)
  }
  visit(document)
})

test('every public method has one POST at its path; methods of the app API have none', () => {
  const document = planted()
  assert.deepEqual(Object.keys(document.paths), [
    '/planted/things/add',
    '/planted/things/delete',
    '/planted/things/get_list',
    '/planted/things/get_entry',
    '/planted/odd-things/kinds',
  ])
  assert.ok(!JSON.stringify(document).includes('inspect'))
  const shown = methods.filter((method) => method.api === 'public').map((method) => methodPath(method.path))
  assert.deepEqual(Object.keys(real().paths), shown)
})

test('the key is required as a bare Authorization header', () => {
  const document = planted()
  const { description, ...scheme } = document.components.securitySchemes.apiKey
  assert.deepEqual(scheme, { type: 'apiKey', in: 'header', name: 'Authorization' })
  assert.deepEqual(document.security, [{ apiKey: [] }])
})

test('only methods that write accept an Idempotency-Key and a dry run, and document the conflicts of the key', () => {
  const operations = Object.fromEntries(
    Object.values<Document>(planted().paths).map(({ post }) => [post.operationId, post]),
  )
  assert.deepEqual(operations['things_add'].parameters, [
    { $ref: '#/components/parameters/IdempotencyKey' },
    { $ref: '#/components/parameters/DryRun' },
  ])
  assert.ok('409' in operations['things_add'].responses)
  assert.equal(operations['things_get_list'].parameters, undefined)
  assert.ok(!('409' in operations['things_get_list'].responses))
})

test('every error text of a method is an example of its 400 or, for a conflict, of its 409', () => {
  const document = real()
  for (const method of methods.filter((one) => one.api === 'public')) {
    const { responses } = document.paths[methodPath(method.path)].post
    const textsOf = (status: number): string[] =>
      Object.values<Document>(responses[status]?.content?.['application/json'].examples ?? {}).map(
        ({ value }) => value.error,
      )
    const conflicts = method.conflicts ?? []
    for (const refusal of method.refusals) assert.ok(textsOf(400).includes(refusal), `${method.path}: ${refusal}`)
    for (const conflict of conflicts) {
      assert.ok(textsOf(409).includes(conflict), `${method.path}: ${conflict}`)
      assert.ok(!textsOf(400).includes(conflict), `${method.path}: ${conflict}`)
    }
    assert.match(responses['403'].$ref, method.kind === 'write' ? /ForbiddenWrite$/ : /Forbidden$/)
  }
})

test('every example matches its schema, and a schema rejects other values', () => {
  for (const document of [planted(), real()]) {
    for (const [path, { post }] of Object.entries<Document>(document.paths)) {
      const request = post.requestBody.content['application/json']
      const answer = post.responses['200'].content['application/json']
      for (const { schema, example } of [request, answer]) {
        assert.deepEqual(checker(document, schema).safeParse(example).error?.issues, undefined, path)
      }
      assert.ok(!checker(document, answer.schema).safeParse({ ...answer.example, success: false }).success, path)
    }
  }
  const { schema } = planted().paths['/planted/things/get_entry'].post.responses['200'].content['application/json']
  assert.ok(!checker(planted(), schema).safeParse({ success: true, thing: { id: 'seven' } }).success)
})

test('a response with additional fields matches its schema', () => {
  const document = planted()
  const { schema, example } =
    document.paths['/planted/things/get_list'].post.responses['200'].content['application/json']
  const grown = { ...example, more: 1, things: example.things.map((thing: object) => ({ ...thing, more: 1 })) }
  assert.ok(checker(document, schema).safeParse(grown).success)
})

test('records are named schemas: no response and no line of a request declares an object with fields in place', () => {
  const inline: string[] = []
  const visit = (schema: Document, at: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    if (schema.properties !== undefined && schema.properties.success === undefined) inline.push(at)
    for (const [key, inner] of Object.entries(schema)) visit(inner, `${at}.${key}`)
  }
  for (const [path, { post }] of Object.entries<Document>(real().paths)) {
    const { properties } = post.requestBody.content['application/json'].schema
    visit(post.responses['200'].content['application/json'].schema, `${path} response`)
    visit(Object.values(properties), `${path} request`)
  }
  assert.deepEqual(inline, [])
})

test('codes, flags and times are declared with their values and formats', () => {
  const { ShownPurchase, StockLevel, SaleLine } = real().components.schemas
  assert.deepEqual(ShownPurchase.properties.status.enum, [0, 1, 2, 3, 4])
  assert.equal(ShownPurchase.properties.created_at.format, 'date-time')
  assert.deepEqual(StockLevel.properties.type.enum, ['products', 'materials'])
  assert.ok(SaleLine.properties.amount)
})
