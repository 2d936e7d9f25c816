// The reference pages: nothing declared is missing, links lead somewhere, and an example survives the shell it is pasted into.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { methods } from '../methods.ts'
import { plantedMethods, plantedPath } from '../testing/planted-methods.ts'
import { badRequest, sharedFailures } from './failures.ts'
import { methodPath } from './http.ts'
import { reference } from './reference.ts'

const planted = reference(plantedMethods, { methodPath: plantedPath })
const real = reference(methods, { methodPath })

const pageOf = (pages: ReadonlyMap<string, string>, name: string): string => {
  const text = pages.get(name)
  assert.ok(text !== undefined, `there is no page ${name}`)
  return text
}

/** The part of a page that tells of one method. */
const partOf = (pages: ReadonlyMap<string, string>, path: string): string => {
  const [section = ''] = path.split('/')
  const part = pageOf(pages, `${section}.md`)
    .split(/^(?=## )/m)
    .find((text) => text.startsWith(`## ${path}\n`))
  assert.ok(part !== undefined, `${path} is on no page`)
  return part
}

test('there is a page for every section, and none for what only screens call', () => {
  assert.deepEqual([...planted.keys()], ['README.md', 'things.md', 'odd-things.md'])
  assert.ok(![...planted.values()].some((text) => text.includes('inspect')))
})

test('a method is told with its address, notes, fields, errors and example', () => {
  const part = partOf(planted, 'things/add')
  for (const line of [
    'Make a thing.',
    '`POST /planted/things/add` · changes data, takes an [`Idempotency-Key`](README.md#idempotency)',
    '- A part that is not known is left out.',
    '| name | string, at most 255 characters | yes | Its name |',
    '| made | `YYYY-MM-DD` or `""` | no | Empty: not yet |',
    '| weight | number or string | no | In kilograms |',
    '| urgent | one of `0`, `1`, default `0` | no | 1 = at once |',
    '| parts | array of objects | no | Its parts |',
    'Fields of `parts[]` and `spares[]`:',
    '| amount | number | yes | How many \\| how much |',
    '| success | `true` |  |',
    '| thing_id | int | The new thing |',
    '- `Amount not set for part <n>`',
  ]) {
    assert.ok(part.split('\n').includes(line), line)
  }
  assert.ok(!partOf(planted, 'things/get_list').includes('Idempotency-Key'))
  assert.match(partOf(planted, 'things/get_list'), /^\| limit \| int, 1 to 1000 \| no \|/m)
  assert.match(partOf(planted, 'things/get_entry'), /^Fields of `thing\.parts\[\]`:$/m)
})

test('every field and every error text of the real methods is told', () => {
  for (const method of methods.filter((one) => one.door === 'public')) {
    const part = partOf(real, method.path)
    for (const field of [...Object.keys(method.input.wire.shape), ...Object.keys(method.output.shape)]) {
      assert.match(part, new RegExp(`^\\| ${field} \\|`, 'm'), method.path)
    }
    for (const refusal of method.refusals) assert.ok(part.includes(`- \`${refusal}\``), `${method.path}: ${refusal}`)
  }
})

test('every field of the real methods says what it means', () => {
  for (const [name, text] of real) {
    const silent = text.split('\n').filter((line) => /^\| (?!success )\w+ \|.*\|\s+\|$/.test(line))
    assert.deepEqual(silent, [], name)
  }
})

test('the conventions tell every shared error text', () => {
  const text = pageOf(real, 'README.md')
  for (const failure of [badRequest, ...sharedFailures]) {
    for (const told of failure.texts) assert.ok(text.includes(`| ${failure.status} | \`${told.text}\` |`), told.text)
  }
  assert.ok(text.includes(`{base}${methodPath('<section>/<method>')}`))
})

test('links between the pages lead to a heading', () => {
  for (const pages of [planted, real]) {
    for (const [name, text] of pages) {
      for (const [link, page = '', heading] of text.matchAll(/\]\(([\w-]*\.md)?(?:#([\w-]+))?\)/g)) {
        const anchors = [...pageOf(pages, page === '' ? name : page).matchAll(/^#+ (.*)$/gm)].map(([, words = '']) =>
          words
            .toLowerCase()
            .replace(/[^\w -]/g, '')
            .replaceAll(' ', '-'),
        )
        assert.ok(heading === undefined || anchors.includes(heading), `${name}: ${link}`)
      }
    }
  }
})

test('an example pasted into a shell sends the declared request to the declared address', () => {
  for (const [pages, declared, path] of [
    [planted, plantedMethods, plantedPath],
    [real, methods, methodPath],
  ] as const) {
    for (const method of declared.filter((one) => one.door === 'public')) {
      const [, command = ''] = /```sh\n([\s\S]*?)\n```/.exec(partOf(pages, method.path)) ?? []
      // In place of curl: what it is called with, each argument ended by NUL.
      const script = `curl() { printf '%s\\0' "$@"; }\nKONTOR_URL=http://host KONTOR_KEY=key\n${command}`
      const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
      assert.equal(stderr, '')
      const words = stdout.split('\0')
      assert.ok(words.includes(`http://host${path(method.path)}`))
      assert.ok(words.includes('Authorization: key'))
      assert.deepEqual(JSON.parse(words[words.indexOf('-d') + 1] ?? ''), method.example.request)
    }
  }
})
