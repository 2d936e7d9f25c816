// What the keys of an API connection may do.

import type { Method } from './method.ts'

export type KeyScope = {
  readonly read_only: boolean
  /** Sections of the API; null: all. */
  readonly sections: readonly string[] | null
  /** Networks such as 10.0.0.0/8; null: any. */
  readonly networks: readonly string[] | null
  /** Costs are left out of responses. */
  readonly hides_costs: boolean
}

export const sectionOf = (path: string): string => path.slice(0, path.indexOf('/'))

export const isInScope = (
  { read_only, sections }: KeyScope,
  { path, kind, isForEveryKey = false }: Pick<Method, 'path' | 'kind' | 'isForEveryKey'>,
): boolean =>
  (!read_only || kind === 'read') && (isForEveryKey || sections === null || sections.includes(sectionOf(path)))

/** Whether levels of stock may be shown beside the response of another section. */
export const maySeeStock = ({ sections }: KeyScope): boolean => sections === null || sections.includes('stock')

/** The scope in a few words, for lists: `all`, `read-only`, or what it is limited to. */
export const scopeText = ({ read_only, sections, networks, hides_costs }: KeyScope): string =>
  [
    ...(read_only ? ['read-only'] : []),
    ...(sections === null ? [] : [sections.join(', ')]),
    ...(hides_costs ? ['without costs'] : []),
    ...(networks === null ? [] : [`from ${networks.join(', ')}`]),
  ].join('; ') || 'all'
