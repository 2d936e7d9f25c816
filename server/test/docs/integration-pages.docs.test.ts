// Runs the commands of the pages for integrators exactly as written, and compares the responses with those that the pages show.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { url } from '../harness/app.ts'
import { databaseUrl } from '../harness/database.ts'
import { given } from '../harness/given.ts'
import { root } from '../structure/architecture.ts'
import { holds, valuesIn } from './newcomer/answers.ts'
import { blocksOf } from './newcomer/blocks.ts'

const run = promisify(execFile)
const blocks = (page: string): ReturnType<typeof blocksOf> =>
  blocksOf(readFileSync(join(root, 'docs/guides', page), 'utf8'))

const shell = async (script: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const all = { ...process.env, DATABASE_URL: databaseUrl(), BASE_URL: url(), ...env }
  const { stdout } = await run('bash', ['-e', '-c', script], { cwd: root, env: all })
  return stdout
}

const mark = '---- end of a block'

test('the page about keeping a copy: every response is the one that it shows', async () => {
  const [setup, ...rest] = blocks('keep-a-copy.md')
  const commands = rest.filter(({ language }) => language === 'sh').map(({ text }) => text)
  const shown = rest.filter(({ language }) => language === 'json').map(({ text }) => text)
  assert.equal(rest.length, 2 * shown.length, 'every block of commands is followed by its responses')
  const { key } = await given.company()
  const script = [setup?.text, ...commands.map((block) => `${block}\necho '${mark}'`)].join('\n')
  const printed = (await shell(script, { API_KEY: key })).split(`${mark}\n`).slice(0, -1)
  assert.equal(printed.length, commands.length)
  for (const [at, out] of printed.entries()) {
    const [actual, expected] = [valuesIn(out), valuesIn(shown[at] ?? '')]
    assert.equal(actual.length, expected.length, commands[at])
    for (const [n, one] of expected.entries()) holds(actual[n], one, `answer ${n} to\n${commands[at]}`)
  }
})

test('the page about keys: a key is created with rights, refused without them, and replaced', async () => {
  const company = await given.company()
  const [create, use, shown, replace, another, ...none] = blocks('keys.md')
  assert.deepEqual(none, [])
  const env = { COMPANY: String(company.id) }
  const made = JSON.parse(await shell(create?.text ?? '', env))
  const answers = valuesIn(await shell(use?.text ?? '', { API_KEY: made.api_key }))
  for (const [n, one] of valuesIn(shown?.text ?? '').entries()) holds(answers[n], one, `answer ${n}`)

  const statusOf = async (key: string): Promise<number> => {
    const headers = { authorization: key, 'content-type': 'application/json' }
    return (await fetch(`${url()}/v1/orders/get_list.php`, { method: 'POST', headers, body: '{}' })).status
  }
  const listed = await shell(`npm run -s kontor -- key list --company ${company.id}`, env)
  const digits = /^([0-9a-f]{8}) .*Web shop/m.exec(listed)?.[1] ?? assert.fail(listed)
  const connection = String(made.connection_id)
  const [second = ''] = (await shell(replace?.text ?? '', { ...env, CONNECTION: connection, KEY: digits })).split('\n')
  const rolled = JSON.parse(second).api_key
  assert.deepEqual([await statusOf(made.api_key), await statusOf(rolled)], [401, 200])

  const numbered = { ...env, CONNECTION: connection, NEW_CONNECTION: String(Number(connection) + 1) }
  const [third = ''] = (await shell(another?.text ?? '', numbered)).split('\n')
  assert.deepEqual([await statusOf(rolled), await statusOf(JSON.parse(third).api_key)], [401, 200])
})
