// Long because the requests of all sections and the choice between them belong together.
// The operations of the journal's callers: every public write method, mostly sales. A caller changes only records it created itself, and each
// operation writes its own mark into the record, so that it can be found again, once, or not at all. What this file does not know of a method comes
// from its declaration.

import { sectionOf } from '../../server/kernel/key-scope.ts'
import type { Method } from '../../server/kernel/method.ts'
import { methods } from '../../server/methods.ts'

export type Body = Readonly<Record<string, unknown>>
export type PlannedRequest = { readonly path: string; readonly body: Body }

type Section = {
  readonly noun: string
  /** Relative frequency. */
  readonly weight: number
  /** The field that contains the mark. */
  readonly mark: 'notes' | 'full_name' | 'name'
  readonly statuses?: readonly number[]
  readonly fields: (lane: Lane) => Body
}

const lines = (lane: Lane, more: (amount: number) => Body = () => ({})) => {
  const one = (items: readonly number[]) => {
    const amount = 1 + lane.below(4)
    return { id: items[lane.below(items.length)], amount, ...more(amount) }
  }
  return {
    products: Array.from({ length: 1 + lane.below(3) }, () => one(lane.products)),
    ...(lane.below(3) === 0 ? { materials: [one(lane.materials)] } : {}),
  }
}
const priced = (lane: Lane) => (amount: number) => ({ total: amount * (5 + lane.below(20)) })
const day = (lane: Lane): string => `2024-0${1 + lane.below(9)}-1${lane.below(9)}`
const item = (lane: Lane): Body => ({ name: `Item ${lane.next()}`, sku: `S-${lane.number}-${lane.next()}` })
/** In half of the records. */
const externalId = (lane: Lane): Body =>
  lane.below(2) === 0 ? { external_id: `shop-${lane.number}-${lane.next()}` } : {}
const contact = (lane: Lane): Body => ({ name: `Contact ${lane.number} ${lane.next()}`, phone: '+49 30 1234' })

/** The sections whose tables the oracle compares with the journal. */
export const sections: Readonly<Record<string, Section>> = {
  orders: {
    noun: 'order',
    weight: 40,
    mark: 'notes',
    statuses: [0, 1, 3, 4],
    fields: (lane) => ({
      num: `${lane.number}-${lane.next()}`,
      ...externalId(lane),
      // Some names are shared with the other callers of the company: the first one creates the customer.
      customer_name: `Customer ${lane.below(40)}`,
      date_placed: day(lane),
      production: lane.below(5) === 0 ? 1 : 0,
      ...lines(lane, priced(lane)),
    }),
  },
  purchases: {
    noun: 'purchase',
    weight: 8,
    mark: 'notes',
    statuses: [0, 1, 3, 4],
    fields: (lane) => ({ supplier_name: `Supplier ${lane.below(10)}`, ...lines(lane, priced(lane)) }),
  },
  productions: {
    noun: 'production',
    weight: 6,
    mark: 'notes',
    statuses: [0, 1, 3, 4],
    fields: (lane) => ({ products: lines(lane).products }),
  },
  writeoffs: { noun: 'writeoff', weight: 4, mark: 'notes', fields: (lane) => ({ date: day(lane), ...lines(lane) }) },
  transfers: {
    noun: 'transfer',
    weight: 4,
    mark: 'notes',
    statuses: [0, 1, 3, 4],
    fields: (lane) => ({ storage_from_id: 1, storage_to_id: 2, ...lines(lane) }),
  },
  audits: {
    noun: 'audit',
    weight: 3,
    mark: 'notes',
    statuses: [0, 3, 4],
    fields: (lane) => ({ storage_id: 1, products: [{ id: lane.products[0], counted: lane.below(50) }] }),
  },
  products: { noun: 'product', weight: 3, mark: 'notes', fields: item },
  materials: { noun: 'material', weight: 2, mark: 'notes', fields: item },
  resources: { noun: 'resource', weight: 1, mark: 'notes', fields: (lane) => ({ name: `Hour ${lane.next()}` }) },
  customers: { noun: 'customer', weight: 3, mark: 'notes', fields: contact },
  suppliers: { noun: 'supplier', weight: 2, mark: 'notes', fields: contact },
  units: {
    noun: 'unit',
    weight: 1,
    mark: 'full_name',
    fields: (lane) => ({ name: `u${lane.number}-${lane.next()}` }),
  },
  categories: { noun: 'category', weight: 1, mark: 'name', fields: () => ({ type: 'products' }) },
  storages: {
    noun: 'storage',
    weight: 1,
    mark: 'notes',
    fields: (lane) => ({ name: `Place ${lane.number}-${lane.next()}` }),
  },
}

/** The verbs whose requests are written here. */
const knownVerbs = ['add', 'edit', 'delete', 'upsert', 'update_status', 'update_payment']

export type Load = {
  readonly sections: Readonly<Record<string, Section>>
  /** All methods that write, by their path. */
  readonly writes: ReadonlyMap<string, Method>
  /** The paths of the methods with another verb, by section. */
  readonly others: ReadonlyMap<string, readonly string[]>
}

export function loadOf(declared: readonly Method[]): Load {
  const writes = declared.filter((method) => method.kind === 'write' && method.api === 'public')
  const bySection = Map.groupBy(writes, ({ path }) => sectionOf(path))
  const others = [...bySection].map(([name, own]): [string, string[]] => {
    const isKnown = (path: string): boolean => knownVerbs.some((verb) => path === `${name}/${verb}`)
    return [name, own.map(({ path }) => path).filter((path) => !isKnown(path))]
  })
  return {
    sections: Object.fromEntries([...bySection].map(([name, own]) => [name, sections[name] ?? sectionFrom(name, own)])),
    writes: new Map(writes.map((method) => [method.path, method])),
    others: new Map(others),
  }
}

/** A section that this file does not know: the example of its `add`, with names of its own. */
function sectionFrom(name: string, own: readonly Method[]): Section {
  const add = own.find(({ path }) => path === `${name}/add`)
  const id = Object.keys(add?.output.shape ?? {}).find((field) => field.endsWith('_id')) ?? `${name}_id`
  const taken = Object.keys(add?.input.schema.shape ?? {})
  const example = (add?.example.request ?? {}) as Body
  return {
    noun: id.replace(/_id$/, ''),
    weight: 1,
    mark: taken.includes('notes') ? 'notes' : taken.includes('full_name') ? 'full_name' : 'name',
    fields: (lane) =>
      Object.fromEntries(
        Object.entries(example).map(([field, value]) => [
          field,
          ['name', 'sku', 'num'].includes(field) ? `${value} ${lane.number}-${lane.next()}` : value,
        ]),
      ),
  }
}

export const load: Load = loadOf(methods)

export const idField = (section: string, { sections: all } = load): string => `${all[section]?.noun}_id`

/** An upsert creates its one record: for the journal it is an add. */
export function operationOf(path: string): { readonly name: string; readonly verb: string } {
  const [name = '', verb = ''] = path.split('/')
  return { name, verb: verb === 'upsert' ? 'add' : verb }
}

/** The id of the record that an add or upsert created, from its response. */
export function createdId(path: string, answer: Body, of = load): number {
  const { name } = operationOf(path)
  const results = answer[name]
  return Number(Array.isArray(results) ? results[0]?.id : answer[idField(name, of)])
}

/** One caller: its records as it knows them, and its random numbers. */
export class Lane {
  readonly number: number
  readonly products: number[] = []
  readonly materials: number[] = []
  readonly #random: () => number
  readonly #load: Load
  readonly #raffle: readonly string[]
  readonly #records = new Map<string, number[]>()
  #last = 0

  constructor(number: number, random: () => number, chosen = load) {
    this.number = number
    this.#random = random
    this.#load = chosen
    this.#raffle = Object.entries(chosen.sections).flatMap(([name, { weight }]) => Array<string>(weight).fill(name))
  }

  next(): number {
    return ++this.#last
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  /** Records that the others depend on, created first and never deleted. */
  *initialRequests(): Generator<PlannedRequest> {
    for (let n = 0; n < 2; n++) yield { path: 'materials/add', body: item(this) }
    for (let n = 0; n < 3; n++) {
      const components = [{ type: 'material', id: this.materials[0], amount: 1 + n }]
      yield { path: 'products/add', body: { ...item(this), ...(n < 2 ? { components } : {}) } }
    }
  }

  recordInitial(planned: PlannedRequest, answer: Body): void {
    const [section = ''] = planned.path.split('/')
    const id = Number(answer[idField(section)])
    if (section === 'products') this.products.push(id)
    else this.materials.push(id)
  }

  nextRequest(): PlannedRequest {
    const name = this.#raffle[this.below(this.#raffle.length)] ?? 'orders'
    const section = this.#load.sections[name] as Section
    const mine = this.#records.get(name) ?? []
    const adds = this.#has(name, 'add')
    // Few records at a time, so that each goes through several changes.
    if (adds && (mine.length < 3 || (mine.length < 12 && this.below(3) === 0))) return this.#add(name, section)
    const others = this.#load.others.get(name) ?? []
    const target = adds ? { [idField(name, this.#load)]: mine[this.below(mine.length)] } : {}
    if (others.length > 0 && (!adds || this.below(8) === 0)) return this.#other(others, target)
    const roll = this.below(10)
    if (roll < 4 && this.#has(name, 'update_status')) {
      const statuses = section.statuses ?? [0, 1]
      return { path: `${name}/update_status`, body: { ...target, status: statuses[this.below(statuses.length)] } }
    }
    if (roll < 6 && this.#has(name, 'update_payment'))
      return { path: `${name}/update_payment`, body: { ...target, status: this.below(3) } }
    if (roll < 8 && this.#has(name, 'edit')) {
      const { products, materials } = section.fields(this)
      const replaced =
        products === undefined || this.below(2) === 0 ? {} : { products, ...(materials ? { materials } : {}) }
      return { path: `${name}/edit`, body: { ...target, ...replaced } }
    }
    return this.#has(name, 'delete') ? { path: `${name}/delete`, body: target } : this.#add(name, section)
  }

  #has(name: string, verb: string): boolean {
    return this.#load.writes.has(`${name}/${verb}`)
  }

  /** The example of a method, about the caller's own record if the method takes its id. */
  #other(paths: readonly string[], target: Body): PlannedRequest {
    const path = paths[this.below(paths.length)] ?? ''
    const method = this.#load.writes.get(path)
    const own = Object.entries(target).filter(([field]) => field in (method?.input.schema.shape ?? {}))
    return { path, body: { ...method?.example.request, ...Object.fromEntries(own) } }
  }

  #add(name: string, section: Section): PlannedRequest {
    const fields = section.fields(this)
    if (!this.#has(name, 'upsert') || this.below(2) === 0) return { path: `${name}/add`, body: fields }
    return { path: `${name}/upsert`, body: { [name]: [{ ...fields, ...externalId(this) }] } }
  }

  /** Updates what the caller may rely on. A record whose deletion has an unknown outcome is not used again. */
  recordOutcome(planned: PlannedRequest, outcome: 'done' | 'not done' | 'unknown', answer: Body): void {
    const { name, verb } = operationOf(planned.path)
    if (verb === 'add' && outcome === 'done')
      this.#records.set(name, [...(this.#records.get(name) ?? []), createdId(planned.path, answer, this.#load)])
    if (verb === 'delete' || (outcome === 'not done' && verb !== 'add'))
      this.#forget(name, Number(planned.body[idField(name, this.#load)]))
  }

  #forget(name: string, id: number): void {
    const mine = this.#records.get(name) ?? []
    const at = mine.indexOf(id)
    if (at !== -1) mine.splice(at, 1)
  }
}

/** The operation with its mark, if its method accepts one. */
export function marked({ path, body }: PlannedRequest, mark: string, of = load): PlannedRequest {
  const { name, verb } = operationOf(path)
  const field = of.sections[name]?.mark ?? ''
  const records = body[name]
  if (path.endsWith('/upsert') && Array.isArray(records))
    return { path, body: { [name]: records.map((record) => ({ ...record, [field]: mark })) } }
  const accepts = field in (of.writes.get(path)?.input.schema.shape ?? {})
  return accepts && (verb === 'add' || verb === 'edit') ? { path, body: { ...body, [field]: mark } } : { path, body }
}
