// Runs a sequence in its own company, and undoes all of it if the sequence includes that. Any fault is thrown, with all
// requests that led to it.

import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { broken, query } from '../harness/database.ts'
import { daysAround, readLevels, readMovements, unexplained } from './explained.ts'
import { type Body, days, type Sequence, type Step, type Undoing, type Way } from './steps.ts'
import { ask, documentAt, found, idFields, listed, resolved, type Section, sections, type World } from './world.ts'

/** The requests and their outcomes, to verify that the run was meaningful. */
export type Played = { readonly answers: Map<string, number>; undone: number }
export const nothingPlayed = (): Played => ({ answers: new Map(), undone: 0 })

/** Runs the steps alone; the result is in the world. */
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

/** Adds to an error the requests that led to it. */
export async function telling(world: World, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\nAfter these requests:\n  ${world.requestLog.join('\n  ')}`, { cause: error })
  }
}

const isSection = (name: string): name is Section => Object.hasOwn(idFields, name)
const itemKinds = { products: 'product', materials: 'material', resources: 'resource' } as const

async function playStep(world: World, { call, document, body }: Step, played: Played): Promise<void> {
  const [section = '', verb = ''] = call.split('/')
  // Sales create and delete productions: the current ones are read when one is needed.
  if (section === 'productions' && verb !== 'add')
    world.documents.productions.splice(0, Infinity, ...(await listed(world, 'productions')).map(({ id }) => id))
  const named = target(world, section, document)
  if (verb.endsWith('_part') || verb === 'ship')
    world.items.held.splice(0, Infinity, ...(await heldBy(world, section, named)))
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
  const at = world.requestLog.push(`${call} ${JSON.stringify(body)}`) - 1
  const answer = await ask(world, call, body)
  if (!answer.success) world.requestLog[at] += ` refused: ${answer.error}`
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

/** Documents whose goods or value moved when their notes were edited: only differences are posted, and there is none. */
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

/** An edit that changes the date of a document and, if it has one that can be changed without a new count, the storage location. */
async function moveOf(world: World, section: Section, id: number): Promise<Body> {
  const [day = ''] = days
  const [other, another] = world.storages
  if (section === 'audits') return { date: day }
  if (section === 'transfers') {
    const { transfer } = await ask(world, 'transfers/get_entry', { transfer_id: id })
    const { storage_from_id: from, storage_to_id: to } = transfer as Record<string, number>
    const free = world.storages.find((storage) => storage !== from && storage !== to)
    return { date: day, date_received: day, ...(free === undefined ? {} : { storage_from_id: free }) }
  }
  const dates = {
    orders: { date_placed: day, date_shipped: day },
    purchases: { date_placed: day, date_received: day },
    productions: { date_placed: day, date_done: day },
    writeoffs: { date: day },
  }[section]
  return { ...dates, products_storage_id: other, materials_storage_id: another }
}

/** Items whose cost differs after all documents were moved to another date and storage location: none should. */
export async function costsAfterMoving(world: World): Promise<{ wrong: string[]; documents: number }> {
  const costs = () =>
    query(
      world.company.id,
      'select item_id::int, on_hand, value, average from item_costs where company_id = $1 order by item_id',
      [world.company.id],
    )
  const wrong: string[] = []
  let documents = 0
  for (const section of sections) {
    for (const { id } of await listed(world, section)) {
      const named = { [idFields[section]]: id }
      const cost = async () => Object.values(await ask(world, `${section}/get_entry`, named)).map((one) => costOf(one))
      const before = [await costs(), await cost()]
      const body = { ...named, ...(await moveOf(world, section, id)) }
      assert.ok((await tell(world, `${section}/edit`, body)).success)
      documents += 1
      const after = [await costs(), await cost()]
      if (!isDeepStrictEqual(before, after)) wrong.push(`${section}/edit ${JSON.stringify(body)} changed a cost`)
    }
  }
  return { wrong, documents }
}

const costOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && 'cost' in entry ? entry.cost : undefined

async function lastMovement(world: World): Promise<string> {
  const [row] = await query(
    world.company.id,
    'select last_movement_id::text as last from company_clock where company_id = $1',
    [world.company.id],
  )
  return row.last
}

/** The ways to undo a document of each section; a write-off always has its effect, so it can only be deleted. */
async function undo(world: World, section: Section, id: number, way: Way): Promise<void> {
  const body = { [idFields[section]]: id }
  if (section !== 'writeoffs' && way !== 'delete') {
    const status = way === 'reopen and delete' ? 0 : 4
    // Undoing a sale deletes a production that was only planned.
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

/** Stock or value remaining on any day after everything was undone: there should be none. */
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
