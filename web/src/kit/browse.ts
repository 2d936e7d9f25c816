// Types of the methods behind lists: `<section>/browse`, the request log and the security events.

import type { Output, Path } from '../server/call.ts'

export type BrowsePath = Extract<Path, `${string}/browse` | 'requests/get_list' | 'security_events/get_list'>
type Section<P extends BrowsePath> = P extends `${infer S}/${string}` ? S : never
export type RowOf<P extends BrowsePath> = Output<P> extends Record<Section<P>, readonly (infer R)[]> ? R : never
export type TotalsOf<P extends BrowsePath> = Output<P> extends { totals: infer T } ? T : Record<never, never>
