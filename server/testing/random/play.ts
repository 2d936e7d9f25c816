// Plays a sequence in a company of its own, and undoes all of it where the sequence says so. Whatever is wrong is thrown, with every
// request that led there.

import assert from 'node:assert/strict'
import { broken, query } from '../database.ts'
import { daysAround, readLevels, readMovements, unexplained } from './explained.ts'
import type { Body, Sequence, Step, Undoing, Way } from './steps.ts'
import { ask, documentAt, found, idFields, listed, resolved, type Section, sections, type World } from './world.ts'

/** What was asked for and how it was answered, to show that a run asked for something. */
export type Played = { readonly answers: Map<string, number>; undone: number }
export const nothingPlayed = (): Played => ({ answers: new Map(), undone: 0 })

/** Plays the steps alone; what is there afterwards is in the world. */
export async function playSteps(sequence: Sequence, played: Played): Promise<World> {
  const world = await found(sequence.settings)
  await telling(world, async () => {
    for (const step of sequence.steps) await playStep(world, step, played)
  })
  return world
}

export async function play(sequence: Sequence, played: Played): Promise<void> {
  const world = await playSteps(sequence, played)
  await telling(world, async () => {
    assert.deepEqual(await unexplained(world), [])
    assert.deepEqual(await broken(world.company.id), [])
    if (sequence.undoing !== null) {
      await undoAll(world, sequence.undoing)
      assert.deepEqual(await remains(world), [])
      assert.deepEqual(await broken(world.company.id), [])
      played.undone += 1
    }
  })
}

/** A fault is told with the requests that led to it. */
export async function telling(world: World, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\nAfter these requests:\n  ${world.told.join('\n  ')}`, { cause: error })
  }
}

const isSection = (name: string): name is Section => Object.hasOwn(idFields, name)
const itemKinds = { products: 'product', materials: 'material', resources: 'resource' } as const

async function playStep(world: World, { call, document, body }: Step, played: Played): Promise<void> {
  const [section = '', verb = ''] = call.split('/')
  // Sales make and remove productions: which there are is asked for when one is needed.
  if (section === 'productions' && verb !== 'add')
    world.documents.productions.splice(0, Infinity, ...(await listed(world, 'productions')).map(({ id }) => id))
  const named = target(world, section, document)
  if (verb.endsWith('_part')) world.items.held.splice(0, Infinity, ...(await heldBy(world, section, named)))
  const request = { ...named, ...(resolved(world, body) as Body) }
  const answer = await tell(world, call, request)
  const key = `${call} ${answer.success ? 'success' : String(answer.error).replace(/"[^"]*"|\bid \S+|\d+/g, '…')}`
  played.answers.set(key, (played.answers.get(key) ?? 0) + 1)
  if (!answer.success) return
  if (verb === 'add') remember(world, section, answer)
  if (verb === 'delete') forget(world, section, request)
}

async function heldBy(world: World, section: string, named: Body): Promise<{ id: number; sku: string }[]> {
  const { success, ...entry } = await ask(world, `${section}/get_entry`, named)
  if (!success) return []
  const { products, materials } = Object.values(entry)[0] as Record<string, { id: number; sku: string }[]>
  return [...(products ?? []), ...(materials ?? [])]
}

async function tell(world: World, call: string, body: Body) {
  const at = world.told.push(`${call} ${JSON.stringify(body)}`) - 1
  const answer = await ask(world, call, body)
  if (!answer.success) world.told[at] += ` refused: ${answer.error}`
  return answer
}

const nounOf = (section: string): string => `${section.replace(/s$/, '')}_id`

function target(world: World, section: string, place: number | undefined): Body {
  if (place === undefined) return {}
  if (isSection(section)) return { [idFields[section]]: documentAt(world, section, place) }
  const among = section === 'storages' ? world.storages : itemsOf(world, section).map(({ id }) => id)
  return { [nounOf(section)]: among[place % Math.max(among.length, 1)] ?? 0 }
}

const itemsOf = (world: World, section: string) => world.items[itemKinds[section as keyof typeof itemKinds]]

function remember(world: World, section: string, answer: Body): void {
  if (isSection(section)) world.documents[section].push(Number(answer[idFields[section]]))
  else if (section === 'storages') world.storages.push(Number(answer['storage_id']))
  else itemsOf(world, section).push({ id: Number(answer[nounOf(section)]), sku: '' })
}

function forget(world: World, section: string, request: Body): void {
  const gone = Number(request[isSection(section) ? idFields[section] : nounOf(section)])
  const from = isSection(section) ? world.documents[section] : section === 'storages' ? world.storages : undefined
  if (from !== undefined) from.splice(from.indexOf(gone), 1)
  else {
    const items = itemsOf(world, section)
    items.splice(
      items.findIndex(({ id }) => id === gone),
      1,
    )
  }
}

/** Documents whose goods or value moved when their notes were edited: only a difference is posted, and there is none. */
export async function movedByNotes(world: World): Promise<{ moved: string[]; documents: number }> {
  const moved: string[] = []
  let documents = 0
  for (const section of sections) {
    for (const { id } of await listed(world, section)) {
      const before = await lastMovement(world)
      const body = { [idFields[section]]: id, notes: 'noted at the end' }
      const { success } = await tell(world, `${section}/edit`, body)
      assert.ok(success)
      documents += 1
      if ((await lastMovement(world)) !== before)
        moved.push(`${section}/edit ${JSON.stringify(body)} moved goods or value`)
    }
  }
  return { moved, documents }
}

async function lastMovement(world: World): Promise<string> {
  const [row] = await query(
    world.company.id,
    'select last_movement_id::text as last from company_clock where company_id = $1',
    [world.company.id],
  )
  return row.last
}

/** The ways that a section has; a write-off always has its effect, so it can only be deleted. */
async function undo(world: World, section: Section, id: number, way: Way): Promise<void> {
  const body = { [idFields[section]]: id }
  if (section !== 'writeoffs' && way !== 'delete') {
    const status = way === 'reopen and delete' ? 0 : 4
    // Undoing a sale removes a production that was only planned.
    const answer = await tell(world, `${section}/update_status`, { ...body, status })
    if (!answer.success) return void assert.equal(section, 'productions', String(answer.error))
    if (way === 'cancel') return
  }
  const answer = await tell(world, `${section}/delete`, body)
  if (!answer.success) assert.equal(section, 'productions', String(answer.error))
}

export async function undoAll(world: World, { order, ways }: Undoing, leaving = 0): Promise<void> {
  const all: { section: Section; id: number }[] = []
  for (const section of sections) all.push(...(await listed(world, section)).map(({ id }) => ({ section, id })))
  const ranked = all
    .map((one, at) => ({ ...one, rank: order[at % order.length] ?? 0, way: ways[at % ways.length] ?? 'delete' }))
    .toSorted((a, b) => a.rank - b.rank)
  for (const { section, id, way } of ranked.slice(leaving)) await undo(world, section, id, way)
}

/** What is left in stock on any day, of goods or of value, when everything was undone: nothing should be. */
export async function remains(world: World): Promise<string[]> {
  const found: string[] = []
  const seen = (when: string, { amounts, reserved, worth }: Awaited<ReturnType<typeof readLevels>>) => {
    for (const [key, level] of amounts) found.push(`${when}: ${key} is left with ${level} thousandths`)
    for (const [key, level] of reserved) found.push(`${when}: ${key} is left with ${level} thousandths reserved`)
    if (worth !== 0) found.push(`${when}: goods are worth ${worth}`)
  }
  seen('now', await readLevels(world))
  for (const date of daysAround(await readMovements(world)).filter((_, at) => at % 3 === 1)) {
    const { amounts } = await readLevels(world, date)
    for (const [key, level] of amounts) found.push(`on ${date}: ${key} is left with ${level} thousandths`)
  }
  const worths = await query(
    world.company.id,
    'select item_id::int, on_hand, value from item_costs where company_id = $1 and (on_hand <> 0 or value <> 0)',
    [world.company.id],
  )
  return [...found, ...worths.map((row) => `item ${row.item_id} is left with ${row.on_hand} worth ${row.value}`)]
}
