// The result of "npm ci" can be run, and an installation that cannot work reports the reason in one sentence. Versions are the same everywhere.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const lock = read('package-lock.json')

test('the lockfile lists every command of the workspaces: npm ci links no others', () => {
  const workspaces: string[] = read('package.json').workspaces
  const commands = workspaces.flatMap((workspace) => Object.keys(read(`${workspace}/package.json`).bin ?? {}))
  assert.ok(commands.includes('kontor'))
  for (const workspace of workspaces) {
    assert.deepEqual(lock.packages[workspace].bin, read(`${workspace}/package.json`).bin, workspace)
  }
})

test('all workspaces have the version of the repository, in the lockfile too', () => {
  const { version, workspaces } = read('package.json')
  const versions = workspaces.flatMap((workspace: string) => [
    read(`${workspace}/package.json`).version,
    lock.packages[workspace].version,
  ])
  assert.deepEqual(new Set([...versions, lock.version, lock.packages[''].version]), new Set([version]))
})

test('kontor --version prints the version and the commit', () => {
  const { version } = read('package.json')
  const { stdout } = spawnSync(process.execPath, ['server/kontor.js', '--version'], { cwd: root, encoding: 'utf8' })
  const head = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout
  assert.match(head, /^[0-9a-f]{40}\n$/)
  assert.equal(stdout, `kontor ${version} ${head}`)
})

const onNode = (version: string) =>
  spawnSync(
    process.execPath,
    ['-e', `Object.defineProperty(process, 'version', { value: '${version}' }); import('./kontor.js')`, '--', '--help'],
    { cwd: join(root, 'server'), encoding: 'utf8' },
  )

test('kontor on a Node version that is too old reports the required version in one sentence', () => {
  for (const version of ['v18.20.8', 'v20.20.2', 'v24.10.0']) {
    const { status, stdout, stderr } = onNode(version)
    assert.equal(status, 1, version)
    assert.equal(stdout, '')
    assert.match(stderr, new RegExp(`^kontor: Node 24\\.11 or later is needed, and this is Node ${version}\\. .*\n$`))
  }
  for (const version of ['v24.11.0', 'v25.0.0']) assert.equal(onNode(version).stderr, '', version)
})

const installedBy = (version: string) =>
  spawnSync(process.execPath, [join(root, 'server', 'preinstall.js')], {
    encoding: 'utf8',
    env: { npm_config_user_agent: `npm/10.9.2 node/v${version} linux x64 workspaces/false` },
  })

test('npm is stopped on a Node version with which it omits packages, and prints the command to run instead', () => {
  // preinstall.js contains the same rule: update both together with the package.
  assert.equal(lock.packages['node_modules/@rolldown/binding-linux-x64-gnu'].engines.node, '^20.19.0 || >=22.12.0')
  for (const version of ['16.20.2', '18.20.8', '20.18.3', '21.7.3', '22.11.0']) {
    const { status, stderr } = installedBy(version)
    assert.equal(status, 1, version)
    assert.match(stderr, new RegExp(`^kontor: npm runs on Node ${version}.*install with: npx .* ci\n$`))
  }
  for (const version of ['20.19.0', '20.20.2', '22.12.0', '23.1.0', '24.21.0']) {
    const { status, stderr } = installedBy(version)
    assert.deepEqual([status, stderr], [0, ''], version)
  }
})
