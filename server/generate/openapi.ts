// Generates the OpenAPI 3.1 document of the public methods.

import type { Method } from '../kernel/method.ts'
import { publicCodes } from '../kernel/refusal.ts'
import { version } from '../platform/process/version.ts'
import {
  badRequest,
  bodyRefusals,
  type Failure,
  headerRefusals,
  sharedFailures,
} from '../platform/requests/shared-failures.ts'
import { type JsonSchema, publicMethods, type Shape, sectionOf, shapes } from './json-schema.ts'
import { withNamedRecords } from './named-records.ts'
import { dryRun, dryRunFields, effectsSchema } from './openapi-dry-run.ts'

export type OpenapiOptions = {
  /** The declared path of a method → its path on the server. */
  readonly methodPath: (path: string) => string
  readonly baseUrl?: string
}

type Json = { readonly [field: string]: unknown }

export function openapi(methods: readonly Method[], { methodPath, baseUrl = '/' }: OpenapiOptions): object {
  const shown = publicMethods(methods)
  const { requests, answers, named } = withNamedRecords(shapes(shown))
  const operation = (method: Method): Json => ({
    post: {
      operationId: method.path.replace('/', '_'),
      tags: [sectionOf(method)],
      summary: method.summary,
      ...(method.notes === undefined ? {} : { description: method.notes.join('\n\n') }),
      ...(method.kind === 'write' ? { parameters: writeParameters } : {}),
      requestBody: requestBody(method, shapeOf(requests, method)),
      responses: responses(method, shapeOf(answers, method)),
    },
  })
  return toComponents({
    openapi: '3.1.1',
    info: {
      title: 'Kontor',
      version,
      description:
        'The data of a company over HTTP. Every method is a POST with a JSON object; every response is a JSON object with `success`.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(shown.map(sectionOf))].map((name) => ({ name })),
    paths: Object.fromEntries(shown.map((method) => [methodPath(method.path), operation(method)])),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The bare API key, without `Bearer` or any other prefix. Its connection may be limited to reading, to sections (the tags of this document) and to networks, which is 403, and until a day, after which it is 401.',
        },
      },
      parameters: { IdempotencyKey: idempotencyKey, DryRun: dryRun },
      headers,
      responses: Object.fromEntries(
        documented(true).map((failure) => [responseName(failure), sharedResponse(failure)]),
      ),
      schemas: { Failure: failureSchema, Effects: effectsSchema, ...named },
    },
  }) as object
}

const shapeOf = (all: ReadonlyMap<string, Shape>, method: Method): Shape =>
  all.get(method.path) ?? { fields: {}, required: [] }

function requestBody(method: Method, { fields, required }: Shape): Json {
  const schema: JsonSchema = { type: 'object', properties: fields, ...(required.length > 0 ? { required } : {}) }
  return {
    // An empty body is an empty object.
    required: required.length > 0,
    content: { 'application/json': { schema, example: method.example.request } },
  }
}

function responses(method: Method, { fields, required }: Shape): Json {
  const schema: JsonSchema = {
    type: 'object',
    properties: { success: { const: true }, ...fields, ...(method.kind === 'write' ? dryRunFields : {}) },
    required: ['success', ...required],
  }
  const shared = documented(method.kind === 'write')
  return {
    '200': {
      description: 'Done.',
      headers: headersOf('XRequestId', ...rateLimit, ...(method.kind === 'write' ? ['IdempotentReplayed'] : [])),
      content: { 'application/json': { schema, example: { success: true, ...method.example.response } } },
    },
    '400': refusedResponse(method),
    ...Object.fromEntries(
      shared.map((failure) => [String(failure.status), { $ref: `#/components/responses/${responseName(failure)}` }]),
    ),
    ...(method.conflicts === undefined || method.conflicts.length === 0 ? {} : { '409': conflictResponse(method) }),
  }
}

/** The conflicts of the method, and those of the Idempotency-Key if it takes one. */
function conflictResponse({ kind, conflicts = [] }: Method): Json {
  const ofKey = kind === 'write' ? sharedFailures.filter(({ status }) => status === 409) : []
  return {
    description: sentence(
      ['the request contradicts the present state of the data', ...ofKey.map(({ when }) => when)].join(', or '),
    ),
    headers: headersOf('XRequestId', ...errorHeaders, ...rateLimit),
    content: failing([...conflicts, ...ofKey.flatMap(({ texts }) => texts.map(({ text }) => text))]),
  }
}

const documented = (writes: boolean): readonly Failure[] =>
  sharedFailures.filter((failure) => failure.addressOnly !== true && (writes || failure.writesOnly !== true))

const responseName = (failure: Failure): string =>
  failure.title.replace(/[^A-Za-z]+(.)/g, (_, next: string) => next.toUpperCase())

function refusedResponse(method: Method): Json {
  const texts = [
    ...method.refusals,
    ...bodyRefusals.map((refusal) => refusal.text),
    ...(method.kind === 'write' ? headerRefusals.map((refusal) => refusal.text) : []),
  ]
  return {
    description: sentence(badRequest.when),
    headers: headersOf('XRequestId', ...errorHeaders, ...rateLimit),
    content: failing(texts),
  }
}

function sharedResponse({ status, when, texts }: Failure): Json {
  // A request that is refused before it was counted has no rate limit headers.
  const limits = status === 401 || status === 503 ? [] : rateLimit
  const hasBody = texts.some(({ text }) => text !== '')
  return {
    description: sentence(when),
    headers: headersOf('XRequestId', 'KontorErrorCode', ...limits, ...(ownHeaders[status] ?? [])),
    ...(hasBody ? { content: failing(texts.map((one) => one.text)) } : {}),
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function failing(texts: readonly string[]): Json {
  const examples = texts.map((text, at) => [
    `error_${at + 1}`,
    { summary: text, value: { success: false, error: text } },
  ])
  return {
    'application/json': { schema: { $ref: '#/components/schemas/Failure' }, examples: Object.fromEntries(examples) },
  }
}

const failureSchema: JsonSchema = {
  type: 'object',
  description: 'The request failed.',
  properties: { success: { const: false }, error: { type: 'string', description: 'An English text.' } },
  required: ['success', 'error'],
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key chosen by the caller, unique for every change. A repeated request with the same key within 24 hours changes nothing and returns the first response again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const writeParameters = ['IdempotencyKey', 'DryRun'].map((name) => ({ $ref: `#/components/parameters/${name}` }))

const integerHeader = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } })

const headers = {
  XRequestId: { description: 'Identifies this request in the log of the service.', schema: { type: 'string' } },
  RateLimitLimit: integerHeader('Requests the company may make in one day.'),
  RateLimitRemaining: integerHeader('Requests left today.'),
  RateLimitReset: integerHeader('Seconds until the day ends in the time zone of the company.'),
  IdempotentReplayed: {
    description: 'Present when the response is that of an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
  },
  KontorErrorCode: {
    description: 'Identifies the refusal for programs. New codes may be added.',
    schema: { type: 'string', examples: Object.keys(publicCodes) },
  },
  KontorErrorField: {
    description: 'The field of the request that is refused, percent-encoded; for a line, the array that it is in.',
    schema: { type: 'string' },
  },
  KontorErrorLine: integerHeader('The position of the refused line in that array as it was sent, from 0.'),
  RetryAfter: integerHeader('Seconds to wait before the next attempt.'),
  WwwAuthenticate: { description: 'How to send the key.', schema: { type: 'string' } },
}

/** Headers that only one status has. */
const ownHeaders: Readonly<Record<number, readonly (keyof typeof headers)[]>> = {
  401: ['WwwAuthenticate'],
  429: ['RetryAfter'],
  503: ['RetryAfter'],
}

const headerNames: Readonly<Record<keyof typeof headers, string>> = {
  XRequestId: 'X-Request-Id',
  RateLimitLimit: 'RateLimit-Limit',
  RateLimitRemaining: 'RateLimit-Remaining',
  RateLimitReset: 'RateLimit-Reset',
  IdempotentReplayed: 'Idempotent-Replayed',
  KontorErrorCode: 'Kontor-Error-Code',
  KontorErrorField: 'Kontor-Error-Field',
  KontorErrorLine: 'Kontor-Error-Line',
  RetryAfter: 'Retry-After',
  WwwAuthenticate: 'WWW-Authenticate',
}

const errorHeaders = ['KontorErrorCode', 'KontorErrorField', 'KontorErrorLine'] as const
const rateLimit = ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'] as const

function headersOf(...names: readonly string[]): Json {
  const shown = Object.entries(headerNames).filter(([name]) => names.includes(name))
  return Object.fromEntries(shown.map(([name, wire]) => [wire, { $ref: `#/components/headers/${name}` }]))
}

/** JSON Schema keeps its named schemas under $defs, OpenAPI under components. */
function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      field,
      field === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : toComponents(inner),
    ]),
  )
}
