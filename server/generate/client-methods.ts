// What all generated clients need: the methods of the public API by section, with the shapes of their requests and responses.

import type { Method } from '../kernel/method.ts'
import { bySection, type NamedSchemas, type Shape, shapes } from './json-schema.ts'

export type ClientOptions = {
  /** The declared path of a method → its path on the server. */
  readonly methodPath: (path: string) => string
}

export type ClientMethod = {
  /** `orders/add` */
  readonly path: string
  /** `add` */
  readonly name: string
  /** The path on the server. */
  readonly address: string
  readonly writes: boolean
  readonly summary: string
  readonly notes: readonly string[]
  readonly request: Shape
  readonly response: Shape
  /** For a paged list: the field with its records, and the names of the methods that go through all of them, page by page and as one response. */
  readonly listed: { readonly field: string; readonly each: string; readonly stream: string } | undefined
  /** For a feed of changes: the field with its entries, and the name of the method that follows it. */
  readonly fed: { readonly field: string; readonly follow: string } | undefined
}

export type ClientSection = { readonly name: string; readonly methods: readonly ClientMethod[] }

export function clientSections(
  methods: readonly Method[],
  { methodPath }: ClientOptions,
): { readonly sections: readonly ClientSection[]; readonly named: NamedSchemas } {
  const { requests, answers, named } = shapes(methods)
  const shapeOf = (all: ReadonlyMap<string, Shape>, path: string): Shape =>
    all.get(path) ?? { fields: {}, required: [] }
  const described = (method: Method): ClientMethod => {
    const [request, response] = [shapeOf(requests, method.path), shapeOf(answers, method.path)]
    const name = identifier(method.path.split('/').slice(1).join('/'))
    const [listed, fed] = [listedField(request, response), fedField(request, response)]
    const named = (verb: string): string => (name === 'get_list' ? verb : `${verb}_${name.replace(/^get_/, '')}`)
    return {
      path: method.path,
      name,
      address: methodPath(method.path),
      writes: method.kind === 'write',
      summary: method.summary,
      notes: method.notes ?? [],
      request,
      response,
      listed: listed === undefined ? undefined : { field: listed, each: named('each'), stream: named('stream') },
      fed: fed === undefined ? undefined : { field: fed, follow: named('follow') },
    }
  }
  const sections = [...bySection(methods)].map(([name, declared]) => ({ name, methods: declared.map(described) }))
  for (const section of sections) refuseTwins(section)
  return { sections, named }
}

/** The field with the records, if the method is a paged list. */
function listedField(request: Shape, response: Shape): string | undefined {
  const paged = 'limit' in request.fields && 'offset' in request.fields && request.required.length === 0
  return paged ? onlyArray(response) : undefined
}

/** The field with the entries, if the method is a feed that is read on from where the last response ended. */
function fedField(request: Shape, response: Shape): string | undefined {
  const isFed = ['after', 'limit', 'epoch'].every((name) => name in request.fields) && request.required.length === 0
  return isFed && ['next', 'more', 'epoch'].every((name) => name in response.fields) ? onlyArray(response) : undefined
}

function onlyArray(response: Shape): string | undefined {
  const arrays = Object.entries(response.fields).filter(([, schema]) => schema.type === 'array')
  return arrays.length === 1 ? arrays[0]?.[0] : undefined
}

function refuseTwins({ name, methods }: ClientSection): void {
  const names = methods.flatMap(({ name: own, listed, fed }) => [
    own,
    ...(listed === undefined ? [] : [listed.each, listed.stream]),
    ...(fed === undefined ? [] : [fed.follow]),
  ])
  const twin = names.find((one, at) => names.indexOf(one) !== at)
  if (twin !== undefined) throw new Error(`section ${name} would have two methods ${twin}`)
}

export const identifier = (name: string): string => name.replace(/[^A-Za-z0-9_]+/g, '_')

export const pascal = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9])+([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase())

/** Refuses a name that a generated type has already. */
export function uniqueNames(...taken: readonly string[]): (name: string) => string {
  const names = new Set(taken)
  return (name) => {
    if (names.has(name)) throw new Error(`the client would have two types with the name ${name}`)
    names.add(name)
    return name
  }
}
