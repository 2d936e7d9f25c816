// A small API for the tests of generated files: every kind of field, and none of the real methods.

import { z } from 'zod'
import { type Method, read, write } from '../../kernel/method.ts'

const part = z.object({ id: z.int().describe('Part ID'), amount: z.number().describe('How many | how much') })

const thing = z
  .object({
    id: z.int().describe('Thing ID'),
    name: z.string().describe('Its name'),
    state: z.literal([0, 1, 3]).describe('State code'),
    made: z.iso.date().describe('When it was made'),
    weight: z.number().nullable().describe('Weight, if known'),
    parts: z.array(part).describe('What it is made of'),
  })
  .meta({ id: 'PlantedThing', description: 'A thing.' })

const nothing = { name: 'planted', text: 'select 1', values: [] }
const example = { id: 7, name: "Joiner's bench", state: 0, made: '2026-01-31', weight: null, parts: [] }

const add = write({
  path: 'things/add',
  summary: 'Make a thing.',
  notes: ['A part that is not known is left out.', 'Text that ends a comment */ stays text.'],
  input: {
    schema: z.object({
      name: z.string().max(255).describe('Its name'),
      made: z
        .union([z.iso.date(), z.literal('')])
        .optional()
        .describe('Empty: not yet'),
      weight: z.union([z.number(), z.string()]).optional().describe('In kilograms'),
      urgent: z.literal([0, 1]).default(0).describe('1 = at once'),
      parts: z.array(part).optional().describe('Its parts'),
      spares: z.array(part).optional().describe('Parts kept for later'),
    }),
    read: (raw) => raw,
  },
  output: z.object({ thing_id: z.int().describe('The new thing') }),
  refusals: ['No name in input', 'Amount not set for part <n>'],
  example: { request: { name: "Joiner's bench", parts: [{ id: 1, amount: 2.5 }] }, response: { thing_id: 7 } },
  facts: () => nothing,
  plan: () => ({}),
  write: () => undefined,
  response: () => ({ thing_id: 7 }),
})

const remove = write({
  path: 'things/delete',
  summary: 'Remove a thing.',
  input: { schema: z.object({ thing_id: z.int().describe('The thing') }), read: (raw) => raw },
  output: z.object({}),
  refusals: ['No thing_id in input'],
  example: { request: { thing_id: 7 }, response: {} },
  facts: () => nothing,
  plan: () => ({}),
  write: () => undefined,
  response: () => ({}),
})

const getList = read({
  path: 'things/get_list',
  summary: 'List things.',
  input: {
    schema: z.object({
      made_from: z.iso.date().optional().describe('Made then or later'),
      limit: z.int().min(1).max(1000).optional(),
      offset: z.int().min(0).optional(),
    }),
    read: (raw) => raw,
  },
  output: z.object({ things: z.array(thing).describe('The things'), total: z.int().describe('How many there are') }),
  refusals: ['Offset requires limit'],
  example: { request: { limit: 1 }, response: { things: [example], total: 1 } },
  query: () => nothing,
  response: () => ({}),
})

const getEntry = read({
  path: 'things/get_entry',
  summary: 'Read a thing.',
  input: { schema: z.object({ thing_id: z.int() }), read: (raw) => raw },
  output: z.object({ thing: thing.describe('The thing asked for') }),
  refusals: ['Thing not found'],
  example: { request: { thing_id: 7 }, response: { thing: example } },
  query: () => nothing,
  response: () => ({}),
})

const kinds = read({
  path: 'odd-things/kinds',
  summary: 'Name the kinds.',
  input: { schema: z.object({}), read: (raw) => raw },
  output: z.object({ kinds: z.record(z.string(), z.array(z.union([z.string(), z.number()]))) }),
  refusals: [],
  example: { request: {}, response: { kinds: { wooden: ['bench', 1] } } },
  query: () => nothing,
  response: () => ({}),
})

const inspect = read({ ...getEntry, path: 'things/inspect', summary: 'Seen on the screens alone.', api: 'app' })

export const plantedMethods: readonly Method[] = [add, remove, getList, getEntry, kinds, inspect]

export const plantedPath = (path: string): string => `/planted/${path}`
