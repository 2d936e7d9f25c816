// What a normal company does during an attack: ordinary work, a script with a connection for each request, and an owner who signs in.

import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { methodPath, screensPrefix } from '../../server/platform/http/paths.ts'
import { type Heard, load } from '../overload/load.ts'
import { percentile } from '../overload/open-loop.ts'
import type { Service } from '../scratch-service.ts'
import { type Normal, ownersPassword } from './companies.ts'

export const normalPerSecond = 40

export const workOf = ({ servers }: Service, { requests }: Normal, seconds: number): Promise<Heard> =>
  load([servers[0]?.url ?? ''], [{ of: 'normal', perSecond: normalPerSecond, requests }], seconds)

export const p99Of = (heard: Heard): number => percentile(heard.settledMs('normal'), 99)

export const p99Alone = async (service: Service, normal: Normal, seconds: number): Promise<number> =>
  p99Of(await workOf(service, normal, seconds))

/** Every request of the normal company succeeds. */
export function lostOf({ statuses, lost, unsent }: Heard): string[] {
  const bad = [...statuses].filter(([status]) => status !== 200)
  return [
    ...bad.map(([status, n]) => `${n} requests of the normal company were answered ${status}`),
    ...(lost + unsent > 0 ? [`${lost + unsent} requests of the normal company had no answer`] : []),
  ]
}

/** One request on a new connection; 0 when it ends without a response. */
function onNewConnection(path: string, headers: Readonly<Record<string, string>>, body: object): Promise<number> {
  return new Promise((resolve) => {
    const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, agent: false }
    const sent = request(path, options, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.once('error', () => resolve(0))
    sent.end(JSON.stringify(body))
  })
}

/** From a browser that has never signed in before. */
export const signIn = ({ servers }: Service, { owner }: Normal): Promise<number> =>
  onNewConnection(
    `${servers[0]?.url ?? ''}${screensPrefix}session/sign_in`,
    { 'sec-fetch-site': 'same-origin' },
    { email: owner.email, password: ownersPassword },
  )

/** A script that opens a connection for each of its requests. */
export async function scriptOf(
  { servers }: Service,
  key: string,
  seconds: number,
): Promise<{ readonly sent: number; readonly refused: number }> {
  const untilMs = performance.now() + seconds * 1_000
  const url = `${servers[0]?.url ?? ''}${methodPath('orders/get_list')}`
  let [sent, refused] = [0, 0]
  while (performance.now() < untilMs) {
    if ((await onNewConnection(url, { authorization: key }, { limit: 1 })) !== 200) refused++
    sent++
    await sleep(50)
  }
  return { sent, refused }
}
