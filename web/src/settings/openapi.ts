// The public methods, read from the server's OpenAPI document.

import { useQuery } from '@tanstack/react-query'
import { messages } from '../messages.ts'
import { methods as declared, publicPath } from '../methods.ts'
import { type Path, Refusal } from '../server/call.ts'

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
  readonly path: Path
  readonly section: string
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly input: Schema
  readonly output: Schema
  readonly example: Readonly<Record<string, unknown>>
  readonly answer: unknown
  /** Texts of its errors. */
  readonly errors: readonly string[]
}

type Content = { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } }
/** Without content it refers to a response that methods share. */
type Failed = {
  readonly content?: { readonly 'application/json': { readonly examples?: Record<string, { summary: string }> } }
}
type Operation = {
  readonly summary: string
  readonly description?: string
  readonly requestBody: { readonly content: Content }
  readonly responses: {
    readonly 200: { readonly content: Content }
    readonly 400?: Failed
    readonly 409?: Failed
  }
}
type OpenApiDocument = {
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** True for methods that change nothing, so that their response can be shown at once. */
export const isRead = ({ path }: Method): boolean => declared[path].kind === 'read'

export function readDocument(document: OpenApiDocument): { methods: Method[] } {
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
  const pathAt = new Map((Object.keys(declared) as Path[]).map((path) => [publicPath(path), path]))
  const methods = Object.entries(document.paths).flatMap(([address, { post }]) => {
    const path = pathAt.get(address)
    if (path === undefined) return []
    const [section = '', name = ''] = path.split('/')
    const body = post.requestBody.content['application/json']
    const answered = post.responses[200].content['application/json']
    const refusals = [post.responses[400], post.responses[409]].flatMap((failed) =>
      Object.values(failed?.content?.['application/json'].examples ?? {}),
    )
    return {
      path,
      section,
      name,
      summary: post.summary,
      description: post.description ?? '',
      input: resolve(body.schema),
      output: resolve(answered.schema),
      example: (body.example ?? {}) as Record<string, unknown>,
      answer: answered.example,
      errors: refusals.map(({ summary }) => summary),
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
      if (!response.ok) throw new Refusal(response.status, messages.kit.broken)
      return readDocument((await response.json()) as OpenApiDocument)
    },
  })
}
