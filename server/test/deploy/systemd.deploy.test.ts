// The units of deploy/systemd: systemd accepts them, they confine the service, and they call commands that exist.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bounds, readConfig } from '../../platform/process/config.ts'
import { root } from '../structure/architecture.ts'

const folder = join(root, 'deploy', 'systemd')
const units = readdirSync(folder)
const services = units.filter((unit) => unit.endsWith('.service'))
const textOf = (unit: string): string => readFileSync(join(folder, unit), 'utf8')

const analyze = (args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const skip = analyze(['--version']).error === undefined ? false : 'systemd-analyze is not installed'

test('systemd accepts every unit without a warning', { skip }, (context) => {
  const machine = mkdtempSync(join(tmpdir(), 'kontor-systemd-'))
  context.after(() => rmSync(machine, { recursive: true }))
  const [own, given, programs] = ['etc/systemd/system', 'usr/lib/systemd/system', 'usr/local/bin'].map((path) =>
    join(machine, path),
  ) as [string, string, string]
  mkdirSync(programs, { recursive: true })
  cpSync(folder, own, { recursive: true })
  cpSync('/usr/lib/systemd/system', given, { recursive: true, verbatimSymlinks: true })
  writeFileSync(join(programs, 'kontor'), '')
  chmodSync(join(programs, 'kontor'), 0o755)
  const verify = () => analyze(['verify', '--recursive-errors=yes', `--root=${machine}`, ...units])
  const { status, stderr } = verify()
  assert.deepEqual([status, stderr], [0, ''])
  // A misspelt setting is only warned about.
  writeFileSync(join(own, 'kontor.service'), textOf('kontor.service').replace('ProtectHome=', 'ProtectHomes='))
  assert.match(verify().stderr, /Unknown key 'ProtectHomes'/)
})

test('the exposure level of every service is at most 1.5 of 10', { skip }, () => {
  for (const service of services) {
    const { status, stdout } = analyze(['security', '--offline=true', '--threshold=15', join(folder, service)])
    assert.equal(status, 0, `${service}\n${stdout}`)
  }
})

test('systemd waits until the service has stopped, with the longest STOP_DELAY_MS too', () => {
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(textOf('kontor.service'))?.[1])
  const longestDelayMs = seconds * 1000 - bounds.stopMs
  const DATABASE_URL = 'postgres://127.0.0.1/kontor'
  assert.throws(() => readConfig({ DATABASE_URL, STOP_DELAY_MS: String(longestDelayMs) }), /STOP_DELAY_MS/)
})

test('every unit calls a command of kontor with options that it has', () => {
  for (const service of services) {
    const words = /^ExecStart=kontor (.*)$/m.exec(textOf(service))?.[1]?.split(' ') ?? []
    const [command = ''] = words
    const { stdout } = spawnSync(process.execPath, ['server/cli.ts', command, '--help'], {
      cwd: root,
      encoding: 'utf8',
    })
    assert.match(stdout, new RegExp(`^Usage: .*kontor ${command}\\b`, 'm'), service)
    for (const option of words.filter((word) => word.startsWith('--'))) {
      assert.match(stdout, new RegExp(`${option}(?![\\w-])`), service)
    }
  }
})
