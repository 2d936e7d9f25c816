// Every setting has one place in an installation, from which it reaches every process: the service, and the commands of the owner, which read some of the
// settings too. The chart has the same test.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { variables } from '../../platform/process/config.ts'
import { root } from '../structure/architecture.ts'

const deploy = join(root, 'deploy')

test('systemd passes the settings of kontor.env to every unit, and only logins come from another file', () => {
  const units = globSync('systemd/*.service', { cwd: deploy })
  assert.ok(units.length >= 4)
  for (const unit of units) {
    const text = readFileSync(join(deploy, unit), 'utf8')
    const files = [...text.matchAll(/^EnvironmentFile=(.+)$/gm)].map(([, file]) => file)
    const login = basename(unit) === 'kontor.service' ? [] : [/backup/.test(unit) ? 'backup' : 'owner']
    assert.deepEqual(
      files,
      ['kontor', ...login].map((name) => `/etc/kontor/${name}.env`),
      unit,
    )
    assert.doesNotMatch(text, /^Environment=/m, unit)
  }
  // What the page puts into the files of other logins is nothing but the login.
  const page = readFileSync(join(root, 'docs', 'guides', 'deployment.md'), 'utf8')
  const lines = [...page.matchAll(/^echo "(\w+)=.*\/etc\/kontor\/(\w+)\.env$/gm)]
  assert.deepEqual(new Set(lines.map(([, , file]) => file)), new Set(['owner', 'kontor', 'backup']))
  for (const [line, name, file] of lines) if (file !== 'kontor') assert.equal(name, 'DATABASE_URL', line)
})

test('the compose file passes the same settings to every container of Kontor', () => {
  const compose = parse(readFileSync(join(deploy, 'compose', 'compose.yaml'), 'utf8'), { merge: true })
  const containers = Object.entries<{ image: string; env_file: unknown; environment: Record<string, string> }>(
    compose.services,
  ).filter(([, { image }]) => image.includes('IMAGE'))
  assert.ok(containers.length >= 4)
  const known = new Set(variables.map(({ name }) => name))
  for (const [name, { env_file: file, environment }] of containers) {
    const { DATABASE_URL_FILE: url, ...settings } = environment
    assert.ok(url, name)
    assert.deepEqual(settings, compose['x-settings'], name)
    // Any other setting is in this file.
    assert.deepEqual(file, ['kontor.env'], name)
    assert.ok(Object.keys(settings).every((setting) => known.has(setting)))
  }
})
