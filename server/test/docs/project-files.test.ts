// The files that the page hosting the repository reads: workflows and issue forms.

import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { root } from '../structure/architecture.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const find = (pattern: string): string[] => globSync(pattern, { cwd: root }).toSorted()

test('every workflow has steps with a limit of time, and runs scripts and files that exist', () => {
  const paths = find('.github/workflows/*.yml')
  assert.ok(paths.length >= 2)
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
  for (const path of paths) {
    const { on, permissions, jobs } = parse(read(path))
    assert.ok(on !== undefined && permissions !== undefined, path)
    for (const job of Object.values<{ 'timeout-minutes': number; steps: { run?: string }[] }>(jobs)) {
      assert.ok(job['timeout-minutes'] <= 90, path)
      const commands = job.steps.map(({ run = '' }) => run).join('\n')
      for (const [, script = ''] of commands.matchAll(/npm run (?:-s )?([\w:]+)/g))
        assert.ok(scripts.includes(script), script)
      const files = [...commands.matchAll(/(?<![\w./-])(?:deploy|server|\.ci)\/[\w./-]+/g)].map(([file]) => file)
      for (const file of files) assert.ok(existsSync(join(root, file)), `${path}: ${file}`)
    }
  }
})

test('every issue form asks for something, and names each answer once', () => {
  const paths = find('.github/ISSUE_TEMPLATE/*.yml').filter((path) => !path.endsWith('config.yml'))
  assert.ok(paths.length >= 2)
  for (const path of paths) {
    const { name, description, body } = parse(read(path))
    assert.ok(name && description, path)
    const asked = body.filter(({ type }: { type: string }) => type !== 'markdown')
    const ids = asked.map(({ id }: { id: string }) => id)
    assert.ok(ids.length > 0 && new Set(ids).size === ids.length && ids.every(Boolean), path)
    for (const { attributes } of asked) assert.ok(attributes.label, path)
  }
})
