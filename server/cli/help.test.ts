// The help of the commands, and error messages for an invalid environment.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../platform/process/config.ts'
import { startServer } from '../test/harness/app.ts'
import { kontor } from '../test/harness/command-line.ts'
import { commandFiles } from './commands.ts'

test('serve --help lists every environment variable with its meaning and default', async () => {
  const { code, out } = await kontor(['serve', '--help'])
  assert.equal(code, 0)
  const config = readConfig({ DATABASE_URL: 'postgres://postgres@127.0.0.1/kontor' })
  const optional = ['METRICS_PORT', 'PUBLIC_ORIGIN', 'WEB_DIR']
  for (const name of [...Object.keys(config), ...optional]) {
    const line = new RegExp(`^  ${name} +(\\S.*)$`, 'm').exec(out)?.[1]
    assert.ok(line !== undefined && line !== 'undefined', `${name} is not in the help:\n${out}`)
    const value = config[name as keyof typeof config]
    if (name !== 'DATABASE_URL' && value !== undefined)
      assert.ok(line.endsWith(`; default ${value}`), `${name}: ${line}`)
  }
  assert.ok(Object.keys(config).includes('MAX_COMPANY_REQUESTS'))
})

test('the short forms work, and the first word of several commands lists them', async () => {
  const [help, short] = [await kontor(['--help']), await kontor(['-h'])]
  assert.deepEqual(short, help)
  assert.match((await kontor(['-v'])).out, /^kontor \d+\.\d+\.\d+/)
  assert.match((await kontor(['migrate', '-h'])).out, /^Usage: kontor migrate/m)
  const group = await kontor(['company', '--help'])
  assert.equal(group.code, 0)
  assert.match(group.out, /^ {2}company create /m)
  assert.doesNotMatch(group.out, /^ {2}key /m)
  assert.equal((await kontor(['company'])).code, 2)
  for (const words of [['nonsense'], ['nonsense', '--help'], ['company', 'nonsense']]) {
    const { code, errors } = await kontor(words)
    assert.equal(code, 2)
    assert.match(errors, /^kontor: there is no command "/)
  }
})

test('the first words by which the file of a command is found are those of its commands', async () => {
  for (const { first, load } of commandFiles) {
    const words = (await load()).map((command) => command.words[0] ?? '')
    assert.deepEqual(new Set(words), new Set(first))
  }
})

test('demo --help explains how to choose the port', async () => {
  assert.match((await kontor(['demo', '--help'])).out, /^ {2}PORT +\S/m)
})

test('an invalid DATABASE_URL is reported by the name of the variable', async () => {
  const reason = 'DATABASE_URL must be the address of a PostgreSQL database, such as postgres:'
  for (const text of [
    'nonsense',
    'http://127.0.0.1/kontor',
    'localhost:5432/kontor',
    '127.0.0.1',
    'postgres://127.0.0.1',
    'postgres://db/',
  ])
    assert.throws(() => readConfig({ DATABASE_URL: text }), new RegExp(reason), text)
  for (const words of [['migrate'], ['serve'], ['key', 'list', '--company', '1']]) {
    const { code, errors } = await kontor(words, { DATABASE_URL: 'nonsense' })
    assert.equal(code, 1)
    assert.ok(errors.startsWith(`kontor: ${reason}`), errors)
  }
})

test('every command reports a database that cannot be reached', async () => {
  for (const words of [['migrate'], ['audit'], ['serve'], ['key', 'list', '--company', '1']]) {
    const { code, errors } = await kontor(words, { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/kontor' })
    assert.equal(code, words[0] === 'audit' ? 2 : 1)
    assert.match(errors, /^kontor: the database does not answer: connect ECONNREFUSED.*\nIs PostgreSQL running/)
  }
})

test('a port in use is not reported as an error of the database', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { code, errors } = await kontor(['serve'], { PORT: String(port), METRICS_PORT: '0' })
  taken.close()
  assert.equal(code, 1)
  assert.match(errors, /^kontor: listen EADDRINUSE.*\nThe port is in use\. Set PORT/m)
})

test('serve logs at startup when the screens are not built, and how to build them', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-screens-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const outputWith = async (): Promise<string> => {
    const server = await startServer({ WEB_DIR: folder })
    await server.stop()
    return server.output()
  }
  assert.match(await outputWith(), /"level":40.*the screens are not built: \\"npm run web:build\\" builds them/)
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  assert.doesNotMatch(await outputWith(), /not built/)
})
