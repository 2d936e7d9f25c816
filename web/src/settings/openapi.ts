// The public methods as the server itself describes them in its OpenAPI document.

import { useQuery } from '@tanstack/react-query'
import { paths, publicPath } from '../methods.ts'
import { Refusal } from '../server/call.ts'
import { words } from '../words.ts'

export type Schema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly $ref?: string
}

export type Method = {
  /** `orders/add` */
  readonly path: string
  readonly section: string
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly input: Schema
  readonly output: Schema
  readonly example: Readonly<Record<string, unknown>>
  readonly answer: unknown
  /** Texts of its refusals. */
  readonly errors: readonly string[]
}

type Content = { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } }
type Operation = {
  readonly summary: string
  readonly description?: string
  readonly requestBody: { readonly content: Content }
  readonly responses: {
    readonly 200: { readonly content: Content }
    readonly 400?: {
      readonly content: { readonly 'application/json': { readonly examples?: Record<string, { summary: string }> } }
    }
  }
}
type Document = {
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** True of methods that change nothing, so that their answer can be shown at once. */
export const isRead = (method: Method): boolean => method.name.startsWith('get_')

export function readDocument(document: Document): { methods: Method[] } {
  const resolve = (schema: Schema): Schema => {
    const named = schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    if (named === undefined) return {}
    return {
      ...named,
      ...(named.items ? { items: resolve(named.items) } : {}),
      ...(named.properties
        ? { properties: Object.fromEntries(Object.entries(named.properties).map(([name, of]) => [name, resolve(of)])) }
        : {}),
    }
  }
  const pathAt = new Map<string, string>(paths.map((path) => [publicPath(path), path]))
  const methods = Object.entries(document.paths).map(([address, { post }]) => {
    const path = pathAt.get(address) ?? address
    const [section = '', name = ''] = path.split('/')
    const asked = post.requestBody.content['application/json']
    const answered = post.responses[200].content['application/json']
    const refusals = post.responses[400]?.content['application/json'].examples ?? {}
    return {
      path,
      section,
      name,
      summary: post.summary,
      description: post.description ?? '',
      input: resolve(asked.schema),
      output: resolve(answered.schema),
      example: (asked.example ?? {}) as Record<string, unknown>,
      answer: answered.example,
      errors: Object.values(refusals).map(({ summary }) => summary),
    }
  })
  return { methods }
}

export function useDocument() {
  return useQuery({
    queryKey: ['openapi'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch('/openapi.json', { signal })
      if (!response.ok) throw new Refusal(response.status, words.kit.broken)
      return readDocument((await response.json()) as Document)
    },
  })
}
