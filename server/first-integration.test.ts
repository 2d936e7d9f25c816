// The commands of the guide to a first integration, run as they are written there against a company in which nothing was made.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { url } from './testing/app.ts'
import { broken } from './testing/database.ts'
import { given } from './testing/given.ts'

const guide = readFileSync(fileURLToPath(new URL('../docs/guides/first-integration.md', import.meta.url)), 'utf8')
const blocks = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}))
const [setup, ...steps] = blocks
const commands = steps.filter((block) => block.language === 'sh').map((block) => block.text)
const answers = steps.filter((block) => block.language === 'json').map((block) => block.text)
const mark = '---- end of a block'

/** JSON values one after the other, each beginning at the start of a line. */
const valuesIn = (text: string): unknown[] =>
  text
    .trim()
    .split(/\n(?=\{)/)
    .map((one) => JSON.parse(one))

/** Everything that the guide shows is so; it may show less than there is, but of every array all elements. */
function holds(actual: unknown, shown: unknown, at: string): void {
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual), at)
    assert.equal(actual.length, shown.length, `${at}: how many there are`)
    for (const [n, one] of shown.entries()) holds(actual[n], one, `${at}[${n}]`)
  } else if (typeof shown === 'object' && shown !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, at)
    for (const [field, value] of Object.entries(shown)) {
      assert.ok(Object.hasOwn(actual, field), `${at} has no ${field}`)
      holds((actual as Record<string, unknown>)[field], value, `${at}.${field}`)
    }
  } else assert.deepEqual(actual, shown, at)
}

async function run(script: string, env: Record<string, string>): Promise<string> {
  const child = spawn('bash', ['-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  })
  let out = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.equal(code, 0, `${out}\n${errors}`)
  return out
}

test('every block of commands is followed by its answers', () => {
  assert.equal(setup?.language, 'sh')
  assert.ok(commands.length >= 8, 'hardly any command was read')
  assert.deepEqual(
    steps.map((block) => block.language),
    commands.flatMap(() => ['sh', 'json']),
  )
})

test('what the guide shows is compared in full', () => {
  assert.throws(() => holds({ a: 1 }, { a: 2 }, 'x'))
  assert.throws(() => holds({ a: 1 }, { b: 1 }, 'x'))
  assert.throws(() => holds({ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }] }, 'x'))
  holds({ a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }, 'x')
})

test('the commands of the guide lead from an empty company to a shipped sale, with the answers it shows', async () => {
  const company = await given.company()
  const script = ['set -e', setup?.text, ...commands.map((block) => `${block}\necho '${mark}'`)].join('\n')
  const printed = (await run(script, { BASE_URL: url(), API_KEY: company.key })).split(`${mark}\n`).slice(0, -1)
  assert.equal(printed.length, commands.length)
  for (const [at, out] of printed.entries()) {
    const calls = commands[at]?.match(/^call /gm)?.length
    const [actual, shown] = [valuesIn(out), valuesIn(answers[at] ?? '')]
    assert.deepEqual([actual.length, shown.length], [calls, calls], commands[at])
    for (const [n, one] of shown.entries()) holds(actual[n], one, `answer ${n} to\n${commands[at]}`)
  }
  assert.deepEqual(await broken(company.id), [])
})

test('without a key the guide stops at once and says what is missing', async () => {
  await assert.rejects(run(setup?.text ?? '', { BASE_URL: url() }), /put the key of your API connection here/)
})
