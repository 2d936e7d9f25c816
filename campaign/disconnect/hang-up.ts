// A client that closes its connection at one moment of a request: while it sends it, while it waits, or while it reads the response.

import { connect, type Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

export type Way = 'FIN' | 'RST'

export type Undisturbed = { readonly status: number; readonly tookMs: number; readonly answerBytes: number }

/** The longest time that a client waits for anything. */
const patienceMs = 15_000
/** A response of which nothing arrives for so long is complete. */
const pauseMs = 100
/** Of all moments: those while the request is sent, and from then on until the response begins. */
const sendingShare = 0.2
const waitingShare = 0.8

async function opened(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  return socket
}

/** Resolves when as many bytes have arrived, when the response was shorter, or when the connection is closed. */
function received(socket: Socket, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    let arrived = 0
    let timer: NodeJS.Timeout
    const done = (): void => {
      clearTimeout(timer)
      socket.off('data', read).off('close', done).pause()
      resolve()
    }
    const read = (chunk: Buffer): void => {
      arrived += chunk.length
      clearTimeout(timer)
      if (arrived >= bytes) done()
      else timer = setTimeout(done, pauseMs)
    }
    timer = setTimeout(done, patienceMs)
    socket.on('data', read).on('close', done)
  })
}

/** A whole call on a connection of its own. Status 0: closed without a response. */
export async function undisturbed(url: string, request: Buffer): Promise<Undisturbed> {
  const startedMs = performance.now()
  const socket = await opened(url)
  // The response is complete when the connection is closed.
  const head = request.indexOf('\r\n')
  const last = Buffer.concat([request.subarray(0, head), Buffer.from('\r\nConnection: close'), request.subarray(head)])
  let [answerBytes, status] = [0, 0]
  socket.on('data', (chunk: Buffer) => {
    if (answerBytes === 0) status = Number(chunk.toString('latin1', 9, 12))
    answerBytes += chunk.length
  })
  socket.setTimeout(patienceMs, () => socket.destroy())
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(last)
  await closed
  return { status, tookMs: performance.now() - startedMs, answerBytes }
}

/** `share`, from 0 to 1, is the moment between the first byte of the request and the last byte of the response. */
export async function hangUp(
  url: string,
  request: Buffer,
  share: number,
  way: Way,
  { tookMs, answerBytes }: Undisturbed,
): Promise<void> {
  const socket = await opened(url)
  if (share < sendingShare) {
    const bytes = Math.max(1, Math.floor((share / sendingShare) * request.length))
    await new Promise((resolve) => socket.write(request.subarray(0, bytes), resolve))
    // Some of them close before the server has read anything, some afterwards.
    if (bytes % 2 === 0) await sleep(1)
  } else if (share < waitingShare) {
    socket.write(request)
    await after(((share - sendingShare) / (waitingShare - sendingShare)) * tookMs)
  } else {
    const arrived = received(socket, Math.max(1, ((share - waitingShare) / (1 - waitingShare)) * answerBytes))
    socket.write(request)
    await arrived
  }
  if (socket.destroyed) return
  if (way === 'RST') socket.resetAndDestroy()
  else await closedByFin(socket, Math.round(share * 1_000) % 2 === 0)
}

/** Closes both directions, or its own only and reads what still comes. */
async function closedByFin(socket: Socket, isHalf: boolean): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve))
  if (isHalf) {
    socket.setTimeout(patienceMs, () => socket.destroy())
    socket.end()
    socket.resume()
  } else socket.destroy()
  await closed
}

/** More precise than a timer, which has milliseconds. */
async function after(ms: number): Promise<void> {
  const dueMs = performance.now() + ms
  if (ms > 2) await sleep(Math.floor(ms) - 1)
  while (performance.now() < dueMs) await setImmediate()
}
