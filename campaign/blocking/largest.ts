// The largest request that a method accepts, built from its declaration: every field is sent, arrays have as many elements and texts as many characters as
// allowed. Limits that the declaration does not contain are learned from refusals.

import type { Method } from '../../server/kernel/method.ts'
import { arraysOf, fullRequest, nameOf, type Request, setAt, valueAt } from '../../server/test/contract/declared.ts'
import type { World } from '../../server/test/contract/world.ts'

const mostElements = 5_000
const maxBodyBytes = 8 * 1024 * 1024
/** Longer than every text may be. */
const longestText = 70_000
/** Texts of any content, which may be long. */
const freeText = /(^|_)(notes|address|address_real|address_legal|agreement|manager_name|manager_post|phone|full_name)$/

/** Limits that a method's refusals have stated, by field. */
export type Limits = Map<string, number>

/** Learns from a refusal; false when it states no limit. */
export function learn(limits: Limits, error: string): boolean {
  const text = /^Invalid (\w+) value\. Must be at most (\d+) characters$/.exec(error)
  const many = /^(?:Too many (\w+)\. Must be at most (\d+)|Invalid (\w+) value\. Must be at most (\d+) ids)$/.exec(
    error,
  )
  const [name, most] = text === null ? [many?.[1] ?? many?.[3], many?.[2] ?? many?.[4]] : [text[1], text[2]]
  if (name === undefined || most === undefined || limits.get(name) === Number(most)) return false
  limits.set(name, Number(most))
  return true
}

export function largestRequest(method: Method, world: World, limits: Limits): Request {
  const request = fullRequest(method, world)
  for (const { field, most } of arraysOf(method)) {
    const first = valueAt(request, [...field, 0])
    if (first === undefined || field.length > 1) continue
    const count = Math.min(most ?? mostElements, limits.get(nameOf(field)) ?? limits.get('lines') ?? mostElements)
    // A record of an upsert has its own name and codes; a line may be repeated.
    const elementOf = (): unknown =>
      method.path.endsWith('/upsert') ? valueAt(fullRequest(method, world), [...field, 0]) : first
    setAt(
      request,
      field,
      Array.from({ length: count }, (_, at) => (at === 0 ? first : elementOf())),
    )
  }
  // Lines of several kinds count together.
  const total = limits.get('lines')
  const lines = ['products', 'materials', 'resources', 'lines'].filter((name) => Array.isArray(request[name]))
  if (total !== undefined && lines.length > 1 && !method.path.endsWith('/upsert')) {
    const each = Math.floor(total / lines.length)
    for (const name of lines) request[name] = (request[name] as unknown[]).slice(0, each)
  }
  return withLongTexts(request, limits)
}

/** Fills what is left of the body with texts. */
function withLongTexts(request: Request, limits: Limits): Request {
  const texts: { at: Record<string, unknown>; name: string }[] = []
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        if (typeof inner === 'string' && freeText.test(name)) texts.push({ at: value as Record<string, unknown>, name })
        else look(inner)
      }
  }
  look(request)
  const room = (maxBodyBytes * 0.98 - JSON.stringify(request).length) / Math.max(1, texts.length)
  for (const { at, name } of texts)
    at[name] = 'n'.repeat(Math.max(1, Math.min(limits.get(name) ?? longestText, Math.floor(room))))
  return request
}
