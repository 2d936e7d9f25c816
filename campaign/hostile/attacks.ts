// Every attack, as run by the attacker's process: by a hostile company with a key and a session, or by an anonymous client with neither.

import { setTimeout as sleep } from 'node:timers/promises'
import { methodPath, screensPrefix } from '../../server/platform/http/paths.ts'
import {
  hammer,
  nextStatus,
  note,
  openSocket,
  requestBytes,
  requestHead,
  type Statuses,
  slowReaders,
  type Target,
} from './sockets.ts'

/** What the attacker has and what it targets. */
export type Armed = {
  readonly target: Target
  readonly seconds: number
  readonly key: string
  /** Sessions of the hostile company's owner and of one of its workers. */
  readonly cookie: string
  readonly workerCookie: string
  /** The account of the normal company's owner. */
  readonly victimEmail: string
  /** An item of the hostile company with very many movements, and a product with the maximum of everything. */
  readonly movedItem: number
  readonly largestItem: number
}

export type Attack = (armed: Armed) => Promise<Statuses>

const largestBody = 8 * 1024 * 1024

/** A text of nearly `bytes` characters between a start and an end, filled with repeated elements. */
const filled = (begin: string, element: string, end: string, bytes = largestBody): string => {
  const count = Math.floor((bytes - begin.length - end.length) / (element.length + 1))
  return `${begin}${Array(count).fill(element).join(',')}${end}`
}

const keyed = ({ key }: Armed) => ({ Authorization: key })
const signedIn = (cookie: string) => ({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' })
const anonymous = { 'Sec-Fetch-Site': 'same-origin' }
const until = ({ seconds }: Armed): number => performance.now() + seconds * 1_000
const keyedRequest = (armed: Armed, path: string, body: unknown): Buffer =>
  requestBytes(methodPath(path), keyed(armed), typeof body === 'string' ? body : JSON.stringify(body))
const screensRequest = (cookie: string, path: string, body: object): Buffer =>
  requestBytes(screensPrefix + path, signedIn(cookie), JSON.stringify(body))

/** Bodies sent except for their last byte, on many connections; then all last bytes at once. */
async function finishedTogether(armed: Armed, bytes: Buffer, count: number): Promise<Statuses> {
  const statuses: Statuses = new Map()
  const end = until(armed)
  while (performance.now() < end) {
    const sockets = Array.from({ length: count }, () => openSocket(armed.target))
    const answers = sockets.map(nextStatus)
    for (const socket of sockets) socket.write(bytes.subarray(0, -1))
    await sleep(1_000)
    for (const socket of sockets) if (socket.writable) socket.write(bytes.subarray(-1))
    const late = sleep(3_000, 0, { ref: false })
    for (const answer of answers) note(statuses, await Promise.race([answer, late]))
    for (const socket of sockets) socket.destroy()
  }
  return statuses
}

/** Requests whose bodies never end: a byte a second on each connection; connections closed by the server are reopened. */
async function neverFinished(armed: Armed, heads: readonly string[], count: number): Promise<Statuses> {
  const statuses: Statuses = new Map()
  const end = until(armed)
  const lane = async (_: unknown, number: number): Promise<void> => {
    while (performance.now() < end) {
      const socket = openSocket(armed.target)
      const answer = nextStatus(socket)
      void answer.then((status) => note(statuses, status))
      socket.write(heads[number % heads.length] as string)
      while (performance.now() < end && socket.writable && !socket.destroyed) {
        socket.write(' ')
        await Promise.race([answer, sleep(1_000)])
      }
      socket.destroy()
      await sleep(50)
    }
  }
  await Promise.all(Array.from({ length: count }, lane))
  return statuses
}

/** Connections that send nothing, or half of a head; those closed by the server are reopened, a hundred at a time. */
async function silentConnections(armed: Armed, count: number): Promise<Statuses> {
  const statuses: Statuses = new Map()
  const end = until(armed)
  const open = new Set<ReturnType<typeof openSocket>>()
  while (performance.now() < end) {
    for (let n = 0; n < 100 && open.size < count; n++) {
      const socket = openSocket(armed.target)
      open.add(socket)
      socket.once('close', () => {
        open.delete(socket)
        note(statuses, 0)
      })
      if (open.size % 2 === 0) socket.write('POST /v1/orders/get_list.php HTTP/1.1\r\nHost: local')
    }
    await sleep(20)
  }
  for (const socket of open) socket.destroy()
  return statuses
}

const lines = (count: number, id: number) => Array.from({ length: count }, () => ({ id, amount: 1, total: 1 }))

/** The most expensive requests that a company may send. */
const dearest = (armed: Armed): Buffer[] => [
  keyedRequest(armed, 'stock/get_movements', { id: armed.movedItem, limit: 1_000 }),
  keyedRequest(armed, 'stock/get_movements', { id: armed.movedItem, limit: 1_000, offset: 15_000 }),
  keyedRequest(armed, 'orders/get_list', { limit: 1_000, offset: 29_000 }),
  keyedRequest(armed, 'orders/add', { num: 'H', customer_name: 'Mallory', products: lines(5_000, armed.movedItem) }),
  keyedRequest(armed, 'products/get_entry', { product_id: armed.largestItem }),
  keyedRequest(armed, 'productions/add', { products: lines(500, armed.largestItem), status: 3 }),
  screensRequest(armed.cookie, 'orders/browse', { sort: 'total', direction: 'desc', search: 'A-1', limit: 1_000 }),
  screensRequest(armed.cookie, 'items/get_card', { id: armed.movedItem }),
  screensRequest(armed.cookie, 'dashboard/get', {}),
  screensRequest(armed.cookie, 'search/get_list', { search: 'a' }),
  screensRequest(armed.workerCookie, 'products/get_entry', { product_id: armed.largestItem }),
  screensRequest(armed.workerCookie, 'orders/get_list', { limit: 1_000 }),
]

/** The only attack that leaves little of the machine to others, because each of its requests is allowed. */
export const dearestRequests = 'the dearest requests on the largest data'

const entries = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

/** More of everything that belongs to an item than an item may have. */
const oversizedItems = (armed: Armed): Buffer[] => {
  const edit = (more: object) => keyedRequest(armed, 'products/edit', { product_id: armed.largestItem, ...more })
  return [
    edit({ alt_skus: entries(100_000).map((n) => `H-${n}`) }),
    edit({ suppliers: entries(60_000).map((supplier_id) => ({ supplier_id, price: 1 })) }),
    edit({ components: entries(60_000).map((id) => ({ type: 'material', id, amount: 1 })) }),
    edit({ categories: entries(100_000) }),
  ]
}

const tokenBomb = (): string => filled('{"x":[', '{}', ']}')

/** Objects of nine fields, each with names of its own: as many values as a body may contain. */
const differentFields = (body: number): string => {
  const object = (n: number) => `{${entries(9).map((field) => `"${body}-${n}-${field}":1`)}}`
  return `{"x":[${entries(19_900).map(object)}]}`
}

const guesses = ({ victimEmail }: Armed): Buffer[] =>
  entries(200).map((n) =>
    requestBytes(
      `${screensPrefix}session/sign_in`,
      anonymous,
      JSON.stringify({ email: n % 2 === 0 ? victimEmail : `nobody-${n}@example.com`, password: `wrong guess ${n}` }),
    ),
  )

const signUps = (): Buffer[] =>
  entries(200).map((n) =>
    requestBytes(
      `${screensPrefix}session/sign_up`,
      anonymous,
      JSON.stringify({
        company: `Mallory ${n}`,
        name: 'Mallory',
        email: `mallory-${n}-${process.pid}@example.com`,
        password: `correct horse ${n} battery`,
      }),
    ),
  )

const halfSignIn = requestHead(`${screensPrefix}session/sign_in`, anonymous, 10_000)
const download = Buffer.from('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n')

export const attacks: Readonly<Record<string, Attack>> = {
  'lists of a million ids': (armed) =>
    hammer(armed.target, 4, until(armed), [
      keyedRequest(armed, 'products/get_list', filled('{"ids":[', '7', ']}')),
      // As many values as a body may contain.
      keyedRequest(armed, 'products/get_list', filled('{"ids":[', '7', ']}', 399_000)),
    ]),
  'bodies of millions of values, from a company': (armed) =>
    finishedTogether(armed, keyedRequest(armed, 'orders/add', tokenBomb()), 26),
  'bodies of millions of values, from an anonymous client': (armed) =>
    finishedTogether(armed, requestBytes(`${screensPrefix}session/sign_in`, anonymous, tokenBomb()), 26),
  'bodies of objects with many different fields': (armed) =>
    hammer(
      armed.target,
      4,
      until(armed),
      entries(4).map((n) => keyedRequest(armed, 'orders/add', differentFields(n))),
    ),
  'half-sent sign-ins': (armed) => neverFinished(armed, [halfSignIn], 200),
  'half-sent bodies of a company beside half-sent sign-ins': (armed) =>
    neverFinished(armed, [requestHead(methodPath('orders/add'), keyed(armed), 1_000_000), halfSignIn], 400),
  'slow readers of endless lists': (armed) =>
    slowReaders(armed.target, 8, until(armed), keyedRequest(armed, 'orders/get_list', {})),
  'whole lists by the dozen': (armed) =>
    hammer(armed.target, 32, until(armed), [keyedRequest(armed, 'orders/get_list', {})]),
  [dearestRequests]: (armed) => hammer(armed.target, 16, until(armed), dearest(armed)),
  'items with more than they may have': (armed) => hammer(armed.target, 4, until(armed), oversizedItems(armed)),
  'thousands of silent connections': (armed) => silentConnections(armed, 6_000),
  'a flood of sign-ins and sign-ups': (armed) =>
    hammer(armed.target, 16, until(armed), [...guesses(armed), ...signUps()]),
  'a flood of anonymous downloads': (armed) => hammer(armed.target, 50, until(armed), [download]),
  'a flood through a session': (armed) =>
    hammer(armed.target, 64, until(armed), [
      screensRequest(armed.cookie, 'dashboard/get', {}),
      screensRequest(armed.cookie, 'orders/browse', { limit: 100 }),
    ]),
}
