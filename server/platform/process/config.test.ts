// Reading the configuration: every mistake is reported, in a sentence that says what to do.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readTree } from '../../test/structure/architecture.ts'
import { ConfigError, examineConfig, readConfig } from './config.ts'

const url = 'postgres://kontor:secret@db.example/kontor'
const folder = mkdtempSync(join(tmpdir(), 'kontor-config-'))
after(() => rmSync(folder, { recursive: true }))

function fileWith(text: string): string {
  const path = join(folder, `${text.length}`)
  writeFileSync(path, text)
  return path
}

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const reading = examineConfig(env)
  return 'problems' in reading ? reading.problems : []
}

const count = (min: number, max: number) => `a whole number from ${min} to ${max}`
const host = 'an address or a name of this machine, without a port'
const origin = 'an address without a path, such as https://kontor.example'
const proxies = 'addresses and networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, separated by commas'

const nonsense: readonly (readonly [name: string, mustBe: string, ...values: string[]])[] = [
  ['PORT', count(0, 65_535), 'abc', '65536', '-1', '80.5', '0x50', '1e3', ' ', '80 80', '9'.repeat(400)],
  ['WORKERS', count(1, 64), '0', '65'],
  ['HOST', host, 'http://127.0.0.1', 'two words', 'a/b'],
  ['METRICS_HOST', host, '127.0.0.1/metrics'],
  ['PUBLIC_ORIGIN', origin, 'kontor.example', 'https://kontor.example/shop', 'ftp://a', 'javascript:1', 'https://a@b/'],
  ['TRUSTED_PROXIES', proxies, 'proxy', '10.0.0.0/33', '10.0.0.1,,10.0.0.2', '::1/129', '10.0.0.0/8/8', '10.0.0.0/x'],
  [
    'MAIL_FROM',
    'an email address, with or without a name, such as Kontor <kontor@kontor.example>',
    ...['kontor', 'a@b, c@d', 'Kontor <a@b', '<a@b> Kontor', 'Kontor <a b@c>'],
  ],
  ['SIGN_UP', 'open or closed', 'no', 'Open'],
  ['LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent', 'loud'],
  ['MAX_REQUESTS', count(1, 1_000_000), '0', 'Infinity'],
]

for (const [name, mustBe, ...values] of nonsense) {
  test(`${name} must be ${mustBe}`, () => {
    for (const value of values) {
      assert.deepEqual(problemsOf({ DATABASE_URL: url, [name]: value }), [
        `${name} must be ${mustBe}, not "${value.slice(0, 200)}".`,
      ])
    }
  })
}

test('SECRETS_KEY must be 32 bytes as base64, and is not repeated', () => {
  for (const value of ['short', 'A'.repeat(44), `${'A'.repeat(44)}=`])
    assert.deepEqual(problemsOf({ DATABASE_URL: url, SECRETS_KEY: value }), [
      'SECRETS_KEY must be 32 bytes as base64, such as the output of: openssl rand -base64 32.',
    ])
  assert.deepEqual(problemsOf({ DATABASE_URL: url, SECRETS_KEY: `${'A'.repeat(43)}=` }), [])
})

test('valid values are read, and an empty variable counts as not set', () => {
  const config = readConfig({
    DATABASE_URL: url,
    HOST: '::1',
    PORT: '',
    PUBLIC_ORIGIN: 'https://Kontor.Example:8443/',
    TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,192.168.0.0/255.255.0.0,fd00::/8',
  })
  assert.deepEqual(
    [config.HOST, config.PORT, config.WORKERS, config.PUBLIC_ORIGIN, config.METRICS_PORT],
    ['::1', 8080, 1, 'https://kontor.example:8443', undefined],
  )
})

test('all problems are reported at once, and none contains the secret', () => {
  const secret = 'mysql://kontor:secret@db.example/kontor'
  assert.throws(
    () => readConfig({ DATABASE_URL: secret, PORT: 'x', SIGN_UP: 'y', KONTOR_Z: '1' }),
    (error) => {
      assert.ok(error instanceof ConfigError)
      assert.deepEqual(
        error.message.split('\n').map((line) => line.split(' ')[0]),
        ['KONTOR_Z', 'DATABASE_URL', 'PORT', 'SIGN_UP'],
      )
      return !error.message.includes('secret')
    },
  )
  assert.match(problemsOf({})[0] ?? '', /^DATABASE_URL is not set\. It must be the address of a PostgreSQL database/)
})

test('mails need an SMTP server, a sender and the address of links, and no message repeats the password', () => {
  const mail = { SMTP_URL: 'smtp://kontor:secret@mail.example:587', MAIL_FROM: 'a@b.example' }
  const from = 'an email address, with or without a name, such as Kontor <kontor@kontor.example>'
  assert.deepEqual(problemsOf({ DATABASE_URL: url, SMTP_URL: mail.SMTP_URL }), [
    `PUBLIC_ORIGIN is not set. It must be ${origin}.`,
    `MAIL_FROM is not set. It must be ${from}.`,
  ])
  assert.deepEqual(problemsOf({ DATABASE_URL: url, PUBLIC_ORIGIN: 'https://kontor.example', ...mail }), [])
  assert.deepEqual(problemsOf({ DATABASE_URL: url, MAIL_FROM: mail.MAIL_FROM }), [])
  for (const wrong of [
    'http://a:secret@b',
    'mail.example:25',
    'smtp://',
    'smtp://a:secret@b/path',
    'smtp://a:secret@b?x=1',
  ])
    assert.deepEqual(
      problemsOf({ DATABASE_URL: url, PUBLIC_ORIGIN: 'https://kontor.example', ...mail, SMTP_URL: wrong }),
      ['SMTP_URL must be the address of an SMTP server, such as smtp://user:password@mail.example:587.'],
    )
})

test('a secret is read from the file that its variable names', () => {
  const file = fileWith(`${url}\n`)
  assert.equal(readConfig({ DATABASE_URL_FILE: file }).DATABASE_URL, url)
  assert.deepEqual(problemsOf({ DATABASE_URL: url, DATABASE_URL_FILE: file }), [
    'DATABASE_URL and DATABASE_URL_FILE are both set. Set one of them.',
  ])
  const wrong: readonly (readonly [file: string, reason: string])[] = [
    [join(folder, 'missing'), 'cannot be read (ENOENT)'],
    [folder, 'cannot be read (EISDIR)'],
    [fileWith(' \n'), 'is empty'],
    [fileWith('x'.repeat(65_537)), 'is larger than 64 KiB'],
  ]
  for (const [path, reason] of wrong) {
    assert.deepEqual(problemsOf({ DATABASE_URL_FILE: path }), [`DATABASE_URL_FILE names ${path}, which ${reason}.`])
  }
  const [problem = ''] = problemsOf({ DATABASE_URL_FILE: fileWith('mysql://a:secret@b') })
  assert.match(problem, /^DATABASE_URL must be the address of a PostgreSQL database/)
  assert.doesNotMatch(problem, /secret/)
})

test('a variable that begins with KONTOR_ is refused, with the name of the setting if there is one', () => {
  assert.deepEqual(problemsOf({ DATABASE_URL: url, KONTOR_PORT: '80', KONTOR_MODE: 'fast' }), [
    'KONTOR_PORT is not a setting of Kontor. Set PORT instead.',
    'KONTOR_MODE is not a setting of Kontor. Unset it. "kontor serve --help" lists the settings.',
  ])
})

test('variables that Kubernetes sets for a service called kontor are ignored', () => {
  const env = {
    KONTOR_SERVICE_HOST: '10.0.0.1',
    KONTOR_SERVICE_PORT: '8080',
    KONTOR_SERVICE_PORT_HTTP: '8080',
    KONTOR_PORT: 'tcp://10.0.0.1:8080',
    KONTOR_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    KONTOR_PORT_8080_TCP_PROTO: 'tcp',
    KONTOR_PORT_8080_TCP_PORT: '8080',
    KONTOR_PORT_8080_TCP_ADDR: '10.0.0.1',
    KONTOR_METRICS_SERVICE_HOST: '10.0.0.2',
  }
  assert.deepEqual(problemsOf({ DATABASE_URL: url, ...env }), [])
})

test('variables of tests and tools, which servers started by them inherit, are accepted', () => {
  const files = readTree(['.ts', '.sh']).filter(
    // Programs in clients/ start no server.
    ({ path }) => !path.startsWith('clients/') && !path.endsWith('/config.test.ts'),
  )
  const names = files.flatMap(({ text }) => text.match(/\bKONTOR_[A-Z_]*[A-Z]\b/g) ?? [])
  assert.ok(names.includes('KONTOR_TEST_URL') && names.includes('KONTOR_SEED'))
  assert.deepEqual(problemsOf({ DATABASE_URL: url, ...Object.fromEntries(names.map((name) => [name, '1'])) }), [])
})

test('a variable with a name similar to that of a setting is a warning', () => {
  const reading = examineConfig({
    DATABASE_URL: url,
    DATABASE_CONECTIONS: '4',
    LOGLEVEL: 'x',
    HOSTS: 'x',
    PATH: '/bin',
  })
  assert.deepEqual('warnings' in reading ? reading.warnings : reading.problems, [
    'DATABASE_CONECTIONS is not a setting of Kontor. Is DATABASE_CONNECTIONS meant?',
    'LOGLEVEL is not a setting of Kontor. Is LOG_LEVEL meant?',
  ])
})
