// Determines the order of a history afterwards: a write is at the position of its event, every other request at a point within its
// duration that explains its response. Then the model runs the same requests in that order.

import { isDeepStrictEqual } from 'node:util'
import { type Outcome, type State, Undetermined } from '../../server/test/model/state.ts'

export type Act = {
  readonly description: string
  /** The model's response. */
  readonly model: (state: State) => Outcome
  readonly sentMs: number
  readonly answeredMs: number
  readonly status: number
  readonly body: unknown
  readonly requestId: string
}

export type Replayed = {
  readonly found: readonly string[]
  /** After the last event; absent when the rules left an outcome open. */
  readonly state?: State
  readonly placed: number
  readonly open?: string
}

/** `events` are the request ids of the history's events, in order. */
export function replay(acts: readonly Act[], events: readonly string[], start: State): Replayed {
  const found: string[] = []
  const byRequest = new Map(acts.map((act) => [act.requestId, act]))
  const places = new Map<Act, number>()
  const states: State[] = [start]
  for (const [at, requestId] of events.entries()) {
    const act = byRequest.get(requestId)
    const before = states[at] as State
    if (act === undefined) return { found: [`event ${at + 1} belongs to no request: ${requestId}`], placed: 0 }
    if (places.has(act)) found.push(`two events of one request: ${act.description}`)
    places.set(act, at + 1)
    try {
      const { reply, state } = act.model(before)
      if (!answersAlike(act, reply)) found.push(`${differ(act, reply)}, in the place of event ${at + 1}`)
      states.push(state)
    } catch (error) {
      if (!(error instanceof Undetermined)) throw error
      return { found, placed: 0, open: error.message }
    }
  }
  found.push(...outOfTime([...places]))
  const rest = acts.filter((act) => !places.has(act)).toSorted((a, b) => a.sentMs - b.sentMs)
  for (const act of rest) {
    const place = placeOf(act, places, states)
    if (typeof place === 'string') found.push(place)
    else places.set(act, place)
  }
  return { found, state: states.at(-1) as State, placed: rest.length }
}

const answersAlike = (act: Act, reply: { status: number; body: unknown }): boolean =>
  isDeepStrictEqual({ status: act.status, body: act.body }, { status: reply.status, body: reply.body })

const differ = (act: Act, reply: { status: number; body: unknown }): string =>
  `${act.description} was answered ${act.status} ${JSON.stringify(act.body)} and not ${reply.status} ${JSON.stringify(reply.body)}`

/** A request that got its response before another was sent precedes it. */
function outOfTime(places: readonly (readonly [Act, number])[]): string[] {
  return places.flatMap(([later, place]) => {
    const early = places.find(([act, at]) => at > place && act.answeredMs < later.sentMs)
    return early === undefined
      ? []
      : [`${later.description} came before ${early[0].description}, which had been answered already`]
  })
}

/** The first position within its duration at which the model gives this response and nothing changes; never before an already observed event. */
function placeOf(act: Act, places: ReadonlyMap<Act, number>, states: readonly State[]): number | string {
  let [first, last] = [0, states.length - 1]
  for (const [other, place] of places) {
    if (other.answeredMs < act.sentMs && place > first) first = place
    // The event of a request that was sent later is not visible yet.
    if (other.sentMs > act.answeredMs && place - 1 < last) last = place - 1
  }
  let nearest = ''
  for (let at = first; at <= last; at++) {
    const before = states[at] as State
    try {
      const { reply, state } = act.model(before)
      if (answersAlike(act, reply) && isDeepStrictEqual(state, before)) return at
      nearest = differ(act, reply)
    } catch (error) {
      if (!(error instanceof Undetermined)) throw error
      return at
    }
  }
  return `no moment of its time (events ${first} to ${last}) explains an answer: ${nearest || act.description}`
}
