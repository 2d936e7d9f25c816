// Runs every command that a document shows, exactly as written, in a clean clone with only the prerequisites that the README lists.
// Long because one clone and one installation, which take most of the time, are shared by all documents.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { freePort } from '../../../demo/ports.ts'
import { textOf } from '../harness/archives.ts'
import { canConnect, databaseUrl } from '../harness/database.ts'
import { readTree, root } from '../structure/architecture.ts'
import { holds, valuesIn } from './newcomer/answers.ts'
import { blocksOf, commandsIn, shellBlocks, unmarkedBlocks } from './newcomer/blocks.ts'
import { CleanClone, isListening, type Running, waitUntil } from './newcomer/clean-clone.ts'

const documents = new Map(readTree(['.md']).map(({ path, text }) => [path, text]))
const documentText = (path: string): string => documents.get(path) ?? assert.fail(`there is no ${path}`)

const inCi = 'takes minutes, and is a part of check:all by itself'
const tooLong = 'takes many minutes of a quiet machine'
/** Commands that are shown but not run here, with the reason. */
const notRun: readonly (readonly [document: string, command: string, reason: string])[] = [
  ['CONTRIBUTING.md', 'npm ci', 'run once for all documents, by the README'],
  ['CONTRIBUTING.md', 'npm run check', 'is what .ci/run runs'],
  ['CONTRIBUTING.md', 'npm run check:quick', 'each of its steps is a step of npm run check'],
  ['CONTRIBUTING.md', 'npm run check:all -- clients', inCi],
  ['bench/README.md', 'npm run bench', tooLong],
  ['bench/README.md', 'npm run bench -- --scenario add --rounds 3', tooLong],
  ['bench/README.md', 'npm run bench -- --save', tooLong],
  ['bench/README.md', 'npm run bench -- --profile add', tooLong],
  ['bench/README.md', 'npm run bench -- --against HEAD~3', tooLong],
  ['bench/README.md', 'npm run bench:smoke', inCi],
  [
    'docs/guides/webhooks.md',
    'kontor webhook add --company 123456789 --url https://shop.example/webhooks --types order.created,order.updated --json',
    'needs the id of a company; server/access/webhooks/webhooks.test.ts runs it',
  ],
  [
    'docs/guides/webhooks.md',
    'kontor webhook replay --company 123456789 --webhook 1 --from-seq 42',
    'needs the id of a company; server/access/webhooks/webhooks.test.ts runs it',
  ],
  ['docs/reliability.md', 'npm run campaign -- <test> [--runs N] [--seed S] [--short]', 'a pattern, no command'],
  ['docs/releasing.md', 'npm run release', 'release/install.release.test.ts does the same'],
  ['web/README.md', 'npm run web:build', 'run by the README'],
  ['web/README.md', 'npm test -- web/tests/sign-up.test.ts', 'a test of the gate'],
]
/** Run by a separate test. */
const runElsewhere = new Map([
  ['docs/guides/connect-a-shop.md', 'clients/connect-a-shop.clients.test.ts'],
  ['docs/guides/install.md', 'release/install.release.test.ts'],
  ['docs/guides/keep-a-copy.md', 'server/test/docs/integration-pages.docs.test.ts'],
  ['docs/guides/keys.md', 'server/test/docs/integration-pages.docs.test.ts'],
  ['docs/guides/restore.md', 'server/test/docs/restore-guide.docs.test.ts'],
])
/** Documents of which no command is run, with the reason. */
const notRunAtAll = new Map([
  [
    'docs/guides/deployment.md',
    'needs root, systemd, Docker and Kubernetes; server/test/deploy runs what the files contain',
  ],
])
const ran: string[] = []
const keyOf = (document: string, command: string): string => `${document}: ${command}`

/** The shell blocks of a document, without the commands that are not run; recorded as run. */
function blocksToRun(document: string): string[] {
  const left = new Set(notRun.filter(([of]) => of === document).map(([, command]) => command))
  return shellBlocks(documentText(document)).map((block) => {
    const commands = commandsIn(block).filter((command) => !left.has(command))
    ran.push(...commands.map((command) => keyOf(document, command)))
    return commands.map((command) => `${command}\n`).join('')
  })
}

const mark = '---- end of a block'
const marked = (blocks: readonly string[]): string => blocks.map((block) => `${block}\necho; echo '${mark}'\n`).join('')
const printedBy = (output: string): string[] => output.split(`${mark}\n`).slice(0, -1)

const clone = new CleanClone()
const names = ['readme', 'guides', 'debugging'].map((name) => `kontor_${name}_${process.pid}`)
const databaseOf = (name: string): string => Object.assign(new URL(databaseUrl()), { pathname: `/${name}` }).href

async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

before(async () => {
  // The other documents create theirs.
  await onServer(`create database ${names[1]}`)
  const [install = ''] = shellBlocks(documentText('README.md'))
  assert.equal(commandsIn(install)[0], 'npm ci')
  const forOldNode = /`(npx --yes node@24 [^`]+)` instead of `npm ci`/.exec(documentText('README.md'))?.[1]
  assert.ok(forOldNode !== undefined)
  const asked = await clone.run('npm_config_user_agent="node/$(node --version)" node server/preinstall.js || true')
  if (asked !== '') assert.ok(asked.includes(forOldNode), asked)
  await clone.run(asked === '' ? 'npm ci' : forOldNode)
})

after(async () => {
  await clone.remove()
  await onServer(...names.map((name) => `drop database if exists ${name} with (force)`))
})

const readPage = async (port: number): Promise<string> => await (await fetch(`http://127.0.0.1:${port}/`)).text()
/** The page of the built screens, not the one that explains how to build them. */
const screens = /<div id="root">/

test('README: the demo serves its screens after two commands, and SIGTERM to the process that the shell started ends all of them', async () => {
  const [lookAround = ''] = blocksToRun('README.md')
  assert.deepEqual(commandsIn(lookAround), ['npm ci', 'npx kontor demo'])
  const port = await freePort()
  const demo = await clone.start('npx kontor demo', /Ctrl\+C stops it\./, { PORT: String(port) })
  assert.match(await readPage(port), screens)
  const database = /Database +(\S+)/.exec(demo.output())?.[1] ?? assert.fail(demo.output())
  assert.equal(await canConnect(database), true)
  process.kill(demo.pid, 'SIGTERM')
  await demo.ended
  await waitUntil(
    async () => !(await isListening(port)),
    () => 'the demo goes on listening',
  )
  await waitUntil(
    async () => !(await canConnect(database)),
    () => 'the PostgreSQL of the demo was left behind',
  )
})

test('README: its commands lead from an empty database to a sale and the screens, and its last one stops the server cleanly', async () => {
  const port = await freePort()
  const env = { DATABASE_URL: databaseOf(names[0] ?? ''), PORT: String(port), METRICS_PORT: '0' }
  const [, install = '', ...blocks] = blocksToRun('README.md')
  assert.deepEqual(commandsIn(install), ['npm ci', 'npm run web:build'])
  const stop = blocks.pop() ?? ''
  assert.equal(stop, 'kill $!\n')
  const script = [
    'npm run web:build',
    marked(blocks),
    `curl -s http://127.0.0.1:$PORT/ | grep '<div id="root">'`,
    stop,
    'wait $! && echo "ended with $?"',
  ].join('\n')
  const output = await clone.run(script, env)
  const [, added = '', read = '', invited = ''] = printedBy(output)
  const answer = (text: string) => JSON.parse(text.split('\n').find((line) => line.startsWith('{"success"')) ?? '{}')
  const shown = blocksOf(documentText('README.md')).find(({ language }) => language === 'json')?.text ?? ''
  assert.deepEqual(answer(added), JSON.parse(shown))
  assert.equal(answer(read).order.num, 'A-1007')
  assert.equal(answer(read).order.total, 498)
  assert.match(invited, new RegExp(`http://localhost:${port}/invitation/\\S+`))
  assert.match(output, /^ended with 0$/m)
  assert.equal(await isListening(port), false, 'the server is still listening')
})

let guides: { readonly port: number; readonly env: Record<string, string>; readonly server: Running } | undefined

async function serverForGuides() {
  const port = await freePort()
  const env = { DATABASE_URL: databaseOf(names[1] ?? ''), PORT: String(port), METRICS_PORT: '0' }
  guides ??= { port, env, server: await clone.start('npm run -s kontor -- serve', /"msg":"listening"/, env) }
  return guides
}

test('the guide for operators: its commands create a company, its keys and its users, and its checks pass', async () => {
  const { port, env } = await serverForGuides()
  const [doctor = '', create = '', keys = '', users = '', ...rest] = blocksToRun('docs/guides/operators.md')
  assert.match(await clone.run(doctor, env), /^ok +version +PostgreSQL /m)
  const made = await clone.run(create, env)
  const company = /^Company (\d+) created\.$/m.exec(made)?.[1] ?? assert.fail(made)
  const listed = await clone.run(`npm run -s kontor -- key list --company ${company}`, env)
  const key = /^([0-9a-f]{8}) {2}/m.exec(listed)?.[1] ?? assert.fail(listed)
  const named = { ...env, COMPANY: company, KEY: key, OLD: '1', NEW: '2' }
  assert.match(await clone.run(keys, named), new RegExp(`^Key ${key} is revoked\\.$`, 'm'))
  const [invite = '', password = '', ...others] = commandsIn(users)
  assert.deepEqual(others, [])
  const invited = await clone.run(invite, named)
  const token = /https:\/\/kontor\.example\/invitation\/(\S+)/.exec(invited)?.[1] ?? assert.fail(invited)
  const accepted = await fetch(`http://127.0.0.1:${port}/screens/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` },
    body: JSON.stringify({ token, name: 'Ada', password: 'a long password' }),
  })
  assert.equal(accepted.status, 200, await accepted.text())
  assert.match(await clone.run(password, env), /^New password \(shown this once\): \S+$/m)
  assert.match(
    await clone.run(rest.join('\n'), named),
    /^There are no companies: only the schema was checked, and it is sound\.$/m,
  )
})

test('the guide to privacy: its commands export a company and erase a customer', async () => {
  const { port, env } = await serverForGuides()
  const made = await clone.run('npm run -s kontor -- company create --name "Oak Workshop" --json', env)
  const company = JSON.parse(made.split('\n').find((line) => line.startsWith('{')) ?? '{}')
  const added = await fetch(`http://127.0.0.1:${port}/v1/customers/add`, {
    method: 'POST',
    headers: { authorization: company.api_key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Anna Schmidt', notes: 'A. Schmidt' }),
  })
  const { customer_id } = (await added.json()) as { customer_id: number }
  const folder = mkdtempSync(join(tmpdir(), 'kontor-export-'))
  const named = {
    ...env,
    COMPANY: String(company.company_id),
    CUSTOMER: String(customer_id),
    ARCHIVE: join(folder, 'company.archive'),
  }
  const output = await clone.run(blocksToRun('docs/guides/privacy.md').join('\n'), named)
  assert.match(textOf(readFileSync(named.ARCHIVE)), /\tAnna Schmidt\t/)
  rmSync(folder, { recursive: true })
  assert.match(output, /^The customer is erased\. Changed rows: .*customers \d+/m)
})

test('the guide to archives: its commands copy a company, and restore it with its key', async () => {
  const { port, env } = await serverForGuides()
  const made = await clone.run('npm run -s kontor -- company create --name "Oak Workshop" --json', env)
  const company = JSON.parse(made.split('\n').find((line) => line.startsWith('{')) ?? '{}')
  const folder = mkdtempSync(join(tmpdir(), 'kontor-archives-'))
  const [write = '', copy = '', opened = '', restore = ''] = blocksToRun('docs/guides/archives.md')
  const named = {
    ...env,
    COMPANY: String(company.company_id),
    ARCHIVE: join(folder, 'copy.archive'),
    EARLIER: join(folder, 'earlier.archive'),
  }
  const copied = await clone.run(`${write}\n${copy}`, named)
  const id = /^Company (\d+) "Oak Workshop" is imported: \d+ rows\.$/m.exec(copied)?.[1] ?? assert.fail(copied)
  assert.match(await clone.run(opened, { ...named, COPY: id }), /https:\/\/kontor\.example\/invitation\//)
  const restored = await clone.run(restore, named)
  assert.match(restored, new RegExp(`^Company ${company.company_id} "Oak Workshop" is imported: \\d+ rows\\.$`, 'm'))
  const units = await fetch(`http://127.0.0.1:${port}/v1/units/get_list`, {
    method: 'POST',
    headers: { authorization: company.api_key },
  })
  assert.equal(units.status, 200, await units.text())
  rmSync(folder, { recursive: true })
})

test('the guide to a first integration: from an empty company to a shipped sale, with the responses it shows', async () => {
  const { port, env } = await serverForGuides()
  const guide = documentText('docs/guides/first-integration.md')
  const [setup = '', ...commands] = blocksToRun('docs/guides/first-integration.md')
  const all = blocksOf(guide)
  const answers = all.filter(({ language }) => language === 'json').map(({ text }) => text)
  assert.deepEqual(
    all.map(({ language }) => language),
    ['sh', ...commands.flatMap(() => ['sh', 'json'])],
    'every block of commands is followed by its responses',
  )
  const made = await clone.run('npm run -s kontor -- company create --name "Oak Workshop" --json', env)
  const company = JSON.parse(made.split('\n').find((line) => line.startsWith('{')) ?? '{}')
  const here = { BASE_URL: `http://127.0.0.1:${port}`, API_KEY: company.api_key }
  await assert.rejects(clone.run(setup, { BASE_URL: here.BASE_URL }), /put the key of your API connection here/)
  const printed = printedBy(await clone.run(`${setup}\n${marked(commands)}`, here))
  assert.equal(printed.length, commands.length)
  for (const [at, out] of printed.entries()) {
    const calls = commands[at]?.match(/^call /gm)?.length
    const [actual, shown] = [valuesIn(out), valuesIn(answers[at] ?? '')]
    assert.deepEqual([actual.length, shown.length], [calls, calls], commands[at])
    for (const [n, one] of shown.entries()) holds(actual[n], one, `answer ${n} to\n${commands[at]}`)
  }
  const audited = await clone.run(`npm run -s kontor -- audit --company ${company.company_id}`, env)
  assert.match(audited, /^All invariants hold/m)
})

test('the screens are served with reload on change', async () => {
  const [commands = ''] = blocksToRun('web/README.md')
  assert.deepEqual(commandsIn(commands), ['npm run web:dev'])
  const dev = await clone.start('npm run web:dev', /http:\/\/localhost:\d+/)
  const address = /http:\/\/localhost:\d+/.exec(dev.output())?.[0] ?? ''
  assert.match(await (await fetch(address)).text(), /@vite\/client/)
})

test('the reference: the example of every method is a command to which the method responds', async () => {
  const { port, env } = await serverForGuides()
  const made = await clone.run('npm run -s kontor -- company create --name "Oak Workshop" --examples --json', env)
  const key = /"api_key":"([^"]+)"/.exec(made)?.[1] ?? assert.fail(made)
  const pages = [...documents.keys()].filter((path) => path.startsWith('docs/reference/'))
  const blocks = pages.flatMap(blocksToRun)
  const here = { KONTOR_URL: `http://127.0.0.1:${port}`, KONTOR_KEY: key }
  // The progress that curl shows may be printed around the response.
  const printed = printedBy(await clone.run(marked(blocks), here)).map(
    (text) => /\{"success":.*\}/.exec(text)?.[0] ?? '',
  )
  assert.ok(printed.length > 50 && printed.length === blocks.length, `${printed.length} answers`)
  for (const [at, text] of printed.entries()) {
    const answer = JSON.parse(text)
    // Examples refer to records that may not exist here, but their form is valid.
    assert.ok(answer.success || !/^(No|Invalid|Unknown) /.test(answer.error), `${text}\n${blocks[at]}`)
  }
})

test('the guide to debugging: inspector, profile, request log and slow queries', async () => {
  const database = databaseOf(names[2] ?? '')
  const port = await freePort()
  const blocks = blocksToRun('docs/guides/debugging.md')
  const output = await clone.run(marked(blocks), { DATABASE_URL: database, PORT: String(port), METRICS_PORT: '0' })
  const [, inspected = '', profiled = '', logged = '', missing = '', ...traced] = printedBy(output)
  assert.match(inspected, /Debugger listening on ws:/)
  assert.match(profiled, /^CPU\..*\.cpuprofile$/m)
  assert.match(logged, /orders\/get_list/)
  assert.match(missing, /requests \| reason/)
  for (const text of [inspected, profiled, ...traced]) assert.match(text, /^\{"success":true,/m)
})

test('CONTRIBUTING: one test file is run, and one test by its name', async () => {
  const commands = blocksToRun('CONTRIBUTING.md').flatMap(commandsIn)
  const printed: string[] = []
  for (const command of commands) printed.push(await clone.run(command, { KONTOR_TEST_SERVER_URL: databaseUrl() }))
  const counts = printed.map((output) => Number(/^ℹ pass (\d+)$/m.exec(output)?.[1]))
  assert.ok((counts[0] ?? 0) > 1, printed[0])
  assert.deepEqual(counts.slice(1), [1], printed[1])
})

test('the campaign report is generated from the committed results', async () => {
  const [report = ''] = blocksToRun('docs/reliability.md')
  assert.deepEqual(commandsIn(report), ['npm run campaign -- report'])
  await clone.run(report)
})

test('every command that a document shows was run, or is listed above with the reason why not', () => {
  for (const path of runElsewhere.values()) assert.ok(existsSync(join(root, path)), path)
  for (const document of notRunAtAll.keys()) assert.ok(documents.has(document), document)
  const here = [...documents].filter(([document]) => !runElsewhere.has(document) && !notRunAtAll.has(document))
  const shown = here.flatMap(([document, text]) =>
    shellBlocks(text)
      .flatMap(commandsIn)
      .map((command) => keyOf(document, command)),
  )
  const listed = notRun.map(([document, command]) => keyOf(document, command))
  assert.ok(shown.length > 40, 'too few commands were read')
  assert.deepEqual(
    shown.filter((command) => !ran.includes(command) && !listed.includes(command)),
    [],
  )
  assert.deepEqual(
    listed.filter((command) => !shown.includes(command)),
    [],
    'listed, but shown nowhere',
  )
  assert.deepEqual([...documents.values()].flatMap(unmarkedBlocks), [], 'commands in a block that is not marked as sh')
})

test('responses shown in a document are compared in full', () => {
  assert.throws(() => holds({ a: 1 }, { a: 2 }, 'x'))
  assert.throws(() => holds({ a: 1 }, { b: 1 }, 'x'))
  assert.throws(() => holds({ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }] }, 'x'))
  holds({ a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }, 'x')
})

test('commands are read from both kinds of blocks, including multi-line commands', () => {
  const text = [
    '```console\n$ npm ci\n$ npx kontor demo\n```',
    '```sh\ncall a \'{\n  "b": 1}\'\nnpm run x    # why\ncurl \\\n  -s y\n```',
    '```json\n{}\n```',
    '```\n$ rm x\n```',
  ].join('\n\n')
  assert.deepEqual(shellBlocks(text).map(commandsIn), [
    ['npm ci', 'npx kontor demo'],
    ['call a \'{\n  "b": 1}\'', 'npm run x', 'curl \\\n  -s y'],
  ])
  assert.deepEqual(unmarkedBlocks(text), ['$ rm x\n'])
  assert.throws(() => shellBlocks('```console\nnpm ci\n```'), /each after/)
})
