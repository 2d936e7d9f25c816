// The reference pages are complete, their links are valid, and their examples work in a shell.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { methods } from '../methods.ts'
import { methodPath } from '../platform/http/paths.ts'
import { badRequest, sharedFailures } from '../platform/requests/shared-failures.ts'
import { plantedMethods, plantedPath } from '../test/harness/planted-methods.ts'
import { reference } from './reference.ts'

const planted = reference(plantedMethods, { methodPath: plantedPath })
const real = reference(methods, { methodPath })

const pageOf = (pages: ReadonlyMap<string, string>, name: string): string => {
  const text = pages.get(name)
  assert.ok(text !== undefined, `there is no page ${name}`)
  return text
}

/** The part of a page about one method. */
const partOf = (pages: ReadonlyMap<string, string>, path: string): string => {
  const [section = ''] = path.split('/')
  const part = pageOf(pages, `${section}.md`)
    .split(/^(?=## )/m)
    .find((text) => text.startsWith(`## ${path}\n`))
  assert.ok(part !== undefined, `${path} is on no page`)
  return part
}

test('there is a page for every section, and none for methods of the app API', () => {
  assert.deepEqual([...planted.keys()], ['README.md', 'things.md', 'odd-things.md'])
  assert.ok(![...planted.values()].some((text) => text.includes('inspect')))
})

test('descriptions use the right article and the usual term', () => {
  const texts = methods.flatMap((method) => [method.summary, ...(method.notes ?? [])])
  assert.ok(
    texts.includes('Create an audit.') && texts.includes('Read one sale.') && texts.includes('Create a write-off.'),
  )
  assert.deepEqual(
    texts.filter((text) => /\b[Aa] [aeio]|\b[Aa]n [bcdfgjklmnpqrstvwxyz]/.test(text)),
    [],
  )
})

test('the lists of goods refer to stock/get_list for changes of stock', () => {
  for (const section of ['products', 'materials']) {
    assert.match(
      partOf(real, `${section}/get_list`),
      /`updated_after` applies to changes of the \w+ itself.*call stock\/get_list/,
    )
  }
  assert.doesNotMatch(partOf(real, 'resources/get_list'), /stock\/get_list/)
})

test('a method is described with its path, notes, fields, errors and example', () => {
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

test('every field and every error text of the real methods is listed', () => {
  for (const method of methods.filter((one) => one.api === 'public')) {
    const part = partOf(real, method.path)
    for (const field of [...Object.keys(method.input.schema.shape), ...Object.keys(method.output.shape)]) {
      assert.match(part, new RegExp(`^\\| ${field} \\|`, 'm'), method.path)
    }
    for (const refusal of method.refusals) assert.ok(part.includes(`- \`${refusal}\``), `${method.path}: ${refusal}`)
    for (const conflict of method.conflicts ?? [])
      assert.ok(part.includes(`- 409 \`${conflict}\``), `${method.path}: ${conflict}`)
  }
})

test('every field of the real methods has a description', () => {
  for (const [name, text] of real) {
    const undescribed = text.split('\n').filter((line) => /^\| (?!success )\w+ \|.*\|\s+\|$/.test(line))
    assert.deepEqual(undescribed, [], name)
  }
})

test('the conventions contain every shared error text', () => {
  const text = pageOf(real, 'README.md')
  for (const failure of [badRequest, ...sharedFailures]) {
    for (const one of failure.texts) {
      const shown = one.text === '' ? '(empty body)' : `\`${one.text}\``
      assert.ok(text.includes(`| ${failure.status} | \`${one.code}\` | ${shown} |`), one.text)
    }
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

test('an example pasted into a shell sends the declared request to the declared path', () => {
  for (const [pages, declared, path] of [
    [planted, plantedMethods, plantedPath],
    [real, methods, methodPath],
  ] as const) {
    for (const method of declared.filter((one) => one.api === 'public')) {
      const [, command = ''] = /```sh\n([\s\S]*?)\n```/.exec(partOf(pages, method.path)) ?? []
      // Replaces curl: prints its arguments, each terminated by NUL.
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
