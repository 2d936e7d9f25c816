// The generated methods of the client compile strictly, have the declared types, and contain nothing of the app API.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { type Method, read } from '../kernel/method.ts'
import { plantedMethods, plantedPath } from '../test/harness/planted-methods.ts'
import { generateTypescript } from './typescript-client.ts'

const root = join(import.meta.dirname, '..', '..')
const generate = (methods: readonly Method[]): string => generateTypescript(methods, { methodPath: plantedPath })

/** A separate client package: the hand-written files with the methods generated from the declarations for tests. */
function plantedClient(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-client-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const source = join(root, 'clients/typescript/src')
  for (const file of readdirSync(source).filter((name) => !name.endsWith('.test.ts'))) {
    cpSync(join(source, file), join(folder, file))
  }
  writeFileSync(join(folder, 'methods.ts'), generate(plantedMethods))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

function compile(folder: string, usage: string, compilerOptions: object = {}): string {
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['*.ts'], compilerOptions }),
  )
  writeFileSync(
    join(folder, 'usage.ts'),
    `import { Kontor } from './client.ts'\nconst kontor = new Kontor({ baseUrl: '', apiKey: '' })\n${usage}\n`,
  )
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', folder],
    {
      encoding: 'utf8',
    },
  )
  assert.equal(stdout === '', status === 0, stdout)
  return stdout
}

test('declared calls compile in strict mode and return typed responses', (context) => {
  const complaints = compile(
    plantedClient(context),
    `
    const { thing_id } = await kontor.things.add({ name: 'Bench', parts: [{ id: 1, amount: 2 }], made: '', urgent: 1 })
    const constant = { name: 'Bench', spares: [{ id: 1, amount: 2 }], weight: undefined } as const
    await kontor.things.add(constant, { idempotencyKey: 'mine' })
    await kontor.things.delete({ thing_id })
    const { things, total } = await kontor.things.get_list()
    const weights: (number | null)[] = things.map((thing) => thing.weight)
    for await (const thing of kontor.things.each({}, { pageSize: 10 })) {
      const state: 0 | 1 | 3 = thing.state
      await kontor.things.add({ name: thing.name, parts: thing.parts })
      void state
    }
    const kinds: Record<string, (string | number)[]> = (await kontor.odd_things.kinds()).kinds
    void [total, weights, kinds]`,
  )
  assert.equal(complaints, '')
})

test('the client does not depend on Node', (context) => {
  const folder = plantedClient(context)
  const browser = { types: [], lib: ['es2024', 'dom', 'dom.iterable'] }
  assert.equal(compile(folder, 'void kontor', browser), '')
  assert.match(compile(folder, 'void process.pid', browser), /'process'/)
})

test('calls that are not declared do not compile', (context) => {
  const folder = plantedClient(context)
  const wrong: [code: string, complaint: RegExp][] = [
    ['await kontor.things.add({})', /Property 'name' is missing/],
    ["await kontor.things.add({ name: 'Bench', urgent: 2 })", /'2' is not assignable/],
    ["await kontor.things.add({ name: 'Bench', wieght: 2 })", /'wieght' does not exist/],
    ["await kontor.things.add({ name: 'Bench', parts: [{ id: 1 }] })", /Property 'amount' is missing/],
    ['const { success } = await kontor.things.delete({ thing_id: 1 })', /'success' does not exist/],
    ["await kontor.things.get_list({}, { idempotencyKey: 'x' })", /'idempotencyKey' does not exist/],
    ['kontor.things.each({ limit: 5 })', /'limit' does not exist/],
    ['await kontor.things.inspect({ thing_id: 1 })', /'inspect' does not exist/],
  ]
  const complaints = compile(folder, wrong.map(([code]) => code).join('\n')).split('\n')
  for (const [at, [code, complaint]] of wrong.entries()) {
    // The code starts on the third line of the file.
    const here = complaints.filter((line) => line.includes(`usage.ts(${at + 3},`)).join('\n')
    assert.match(here, complaint, code)
  }
})

test('the generated methods call their own path and pass whether they write', async (context) => {
  const folder = plantedClient(context)
  const { Methods } = await import(pathToFileURL(join(folder, 'methods.ts')).href)
  const sent: unknown[] = []
  const methods = new Methods(async (endpoint: object, input: object, options: object) => {
    sent.push([endpoint, input, options])
    return { things: [] }
  })
  await methods.things.add({ name: 'Bench' }, { idempotencyKey: 'mine' })
  await methods.odd_things.kinds()
  await Array.fromAsync(methods.things.each({}, { pageSize: 7, retries: 0 }))
  assert.deepEqual(sent, [
    [{ path: '/planted/things/add', writes: true }, { name: 'Bench' }, { idempotencyKey: 'mine' }],
    [{ path: '/planted/odd-things/kinds', writes: false }, {}, undefined],
    [{ path: '/planted/things/get_list', writes: false }, { limit: 7, offset: 0 }, { retries: 0 }],
  ])
})

test('conflicting names are refused', () => {
  const entry = plantedMethods.find((method) => method.path === 'things/get_entry')
  assert.ok(entry?.kind === 'read')
  assert.throws(() => generate([...plantedMethods, { ...entry, path: 'things/each' }]), /two methods each/)
  assert.throws(
    () => generate([...plantedMethods, { ...entry, path: 'things/getEntry' }, { ...entry, path: 'things/get-entry' }]),
    /two/,
  )
  const other = z.object({ other: z.string() }).meta({ id: 'PlantedThing' })
  const clash = read({ ...entry, path: 'things/clash', output: z.object({ other }) })
  assert.throws(() => generate([...plantedMethods, clash]), /two different schemas have the name PlantedThing/)
})
