// Runs the methods that create and remove example data. Each runs once, however often and in however many processes it is asked for.

import { auditMethods } from '../../audits/methods.ts'
import { materialMethods, productMethods, resourceMethods } from '../../catalog/methods.ts'
import { customerMethods, supplierMethods } from '../../contacts/methods.ts'
import type { RequestContext } from '../../kernel/clock.ts'
import type { Raw } from '../../kernel/json.ts'
import type { Method, WriteMethod } from '../../kernel/method.ts'
import type { Settings } from '../../kernel/settings.ts'
import { keyOfWrite, runRepeatable } from '../../platform/requests/repeatable-write.ts'
import type { SessionMethodServices } from '../../platform/requests/request.ts'
import { productionMethods } from '../../production/methods.ts'
import { purchaseMethods } from '../../purchases/methods.ts'
import { salesMethods } from '../../sales/methods.ts'

const methods: ReadonlyMap<string, Method> = new Map(
  [
    ...salesMethods,
    ...purchaseMethods,
    ...productionMethods,
    ...auditMethods,
    ...productMethods,
    ...materialMethods,
    ...resourceMethods,
    ...customerMethods,
    ...supplierMethods,
  ].map((method) => [method.path, method]),
)

/** Who asks, and in which company. */
export type Asker = {
  readonly services: SessionMethodServices
  readonly companyId: number
  readonly userId: number
  readonly settings: Settings
}

/** All writes of one set of example data have this request id, by which their events are found. */
export const requestIdOf = (fromSeq: number): string => `example_${fromSeq}`

const contextOf = ({ companyId, userId }: Asker, requestId: string): RequestContext => ({
  companyId,
  userId,
  requestId,
  connectionId: null,
  source: 'manual',
})

/** A write of the state of the example data. */
export const runPlain = <I, F, P>(
  asker: Asker,
  method: WriteMethod<I, F, P>,
  input: I,
  requestId: string,
): Promise<Raw> => runRepeatable(asker.services, method, input, contextOf(asker, requestId))

/** One write of a method. With a `key`, the same key in the same example data gets the first response again. */
export async function runStep(asker: Asker, fromSeq: number, path: string, body: object, key?: string): Promise<Raw> {
  const method = methods.get(path)
  if (method?.kind !== 'write') throw new Error(`${path} is not a write`)
  const text = JSON.stringify(body)
  const input = method.input.read(JSON.parse(text), asker.settings)
  const stored = key === undefined ? undefined : keyOfWrite('example data', `${fromSeq} ${key}`, path, text)
  return await runRepeatable(asker.services, method, input, contextOf(asker, requestIdOf(fromSeq)), stored)
}
