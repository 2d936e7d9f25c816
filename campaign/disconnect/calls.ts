// A valid request to every method of both APIs, made from the declarations, with credentials that are in use or were never used before.

import type { Method } from '../../server/kernel/method.ts'
import { methods, sessionMethods } from '../../server/methods.ts'
import { methodPath, screensPrefix } from '../../server/platform/http/paths.ts'
import { type DeclaredMethod, fieldsOf, type Request, requestHeeding } from '../../server/test/contract/declared.ts'
import { makePlace, type Place } from '../../server/test/contract/place.ts'
import { given } from '../../server/test/harness/given.ts'
import { loadSales } from '../../server/test/harness/many-sales.ts'
import { requestBytes } from '../hostile/sockets.ts'
import type { Service } from '../scratch-service.ts'
import { makeKeys, makeSessions } from './credentials.ts'

export type Call = {
  /** Such as `orders/add` or `screens orders/add`. */
  readonly name: string
  /** A request that can be sent once: the names of new records are unique, and what is deleted exists. */
  readonly bytes: (isFresh: boolean) => Promise<Buffer>
}

const password = 'seven quiet oak tables'

/** So many that a list of all of them is sent in parts. */
const sales = 3_000

type Requested = {
  readonly api: 'public' | 'screens'
  readonly method: DeclaredMethod
  readonly request: () => Promise<Request>
}

/** `fresh` is how often each of them may be called with credentials that were never used; `choose` takes a sample of them. */
export async function makeCalls(
  service: Service,
  fresh: number,
  choose: <T>(all: readonly T[]) => readonly T[],
): Promise<Call[]> {
  const settings = { materials_in_sales: true }
  const place = await makePlace('LIVE', await loadSales({ sales, days: 30, lastDay: '2024-12-31', settings }))
  const publicMethods = methods.filter(({ api }) => api === 'public')
  const all: Requested[] = [
    ...publicMethods.flatMap((method) => requestsOf(method, place, 'public')),
    ...[...methods, ...sessionMethods].flatMap((method) => requestsOf(method, place, 'screens')),
  ]
  const calls: Call[] = []
  for (const one of choose(all))
    calls.push(await (one.api === 'public' ? publicCall : screensCall)(service, place, one, fresh))
  return calls
}

function taken(values: string[]): string {
  const value = values.pop()
  if (value === undefined) throw new Error('too few fresh credentials were made')
  return value
}

async function publicCall(
  service: Service,
  { company }: Place,
  { method, request }: Requested,
  fresh: number,
): Promise<Call> {
  const keys = await makeKeys(service, company.id, fresh)
  return {
    name: method.path,
    bytes: async (isFresh) => {
      const key = isFresh ? taken(keys) : company.key
      return requestBytes(methodPath(method.path), { Authorization: key }, JSON.stringify(await request()))
    },
  }
}

/** Each method has a user of its own: some methods end the other sessions of their user. */
async function screensCall(
  service: Service,
  { company }: Place,
  { method, request }: Requested,
  fresh: number,
): Promise<Call> {
  const isOfSession = method.path.startsWith('session/')
  const user = await given.user(company, 'owner', isOfSession ? password : undefined)
  const sessions = await makeSessions(service, company.id, user.id, fresh)
  const own = isOfSession && method.path !== 'session/sign_up' ? { email: user.email, password } : {}
  let sent = 0
  return {
    name: `screens ${method.path}`,
    bytes: async (isFresh) => {
      const headers = {
        Cookie: isFresh ? `__Host-kontor_session=${taken(sessions)}` : user.cookie,
        'Sec-Fetch-Site': 'same-origin',
        // From another address each time: the limit of sign-ins and sign-ups is not what is tested here.
        ...(isOfSession ? { 'X-Forwarded-For': `2001:db8:${(++sent).toString(16)}::1` } : {}),
      }
      return requestBytes(screensPrefix + method.path, headers, JSON.stringify({ ...(await request()), ...own }))
    },
  }
}

/** With every declared field; a list also as a whole. */
function requestsOf(method: DeclaredMethod, place: Place, api: Requested['api']): Requested[] {
  const full = async (): Promise<Request> => ({
    ...requestHeeding(method, place.world, []),
    ...(await recordToDelete(method, place)),
  })
  const requests = method.path.endsWith('/get_list') ? [full, async () => ({})] : [full]
  return requests.map((request) => ({ api, method, request }))
}

/** A record of its own for each request that deletes one. */
async function recordToDelete({ path, input }: DeclaredMethod, { world, company }: Place): Promise<Request> {
  const add = methods.find((one: Method) => one.path === path.replace(/delete$/, 'add') && one.api === 'public')
  const [field] = fieldsOf({ input }).filter((one) => one.length === 1 && String(one[0]).endsWith('_id'))
  if (!path.endsWith('/delete') || add === undefined || field === undefined) return {}
  const { success, ...ids } = (await company.call(add.path, requestHeeding(add, world, []))).body
  return success === true ? { [String(field[0])]: Object.values(ids)[0] } : {}
}
