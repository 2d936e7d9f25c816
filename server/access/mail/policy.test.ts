// Where mails are sent, from the settings.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyOf } from './policy.ts'

const policy = (url: string, from = 'Kontor <kontor@kontor.example>') =>
  policyOf({ SMTP_URL: url, MAIL_FROM: from, PUBLIC_ORIGIN: 'https://kontor.example', MAILS_PER_DAY: 5 })

test('a login needs TLS, except on this machine', () => {
  assert.deepEqual(policy('smtp://kontor:p%40ss@mail.example')?.smtp, {
    host: 'mail.example',
    port: 587,
    isSecure: false,
    needsTls: true,
    login: { user: 'kontor', pass: 'p@ss' },
  })
  assert.equal(policy('smtp://mail.example')?.smtp.needsTls, false)
  for (const here of ['localhost', '127.0.0.1', '[::1]'])
    assert.equal(policy(`smtp://a:b@${here}:25`)?.smtp.needsTls, false, here)
  assert.equal(policy('smtp://a:b@127.0.0.1.example')?.smtp.needsTls, true)
})

test('TLS from the start, a password with a percent sign, and a sender without a name', () => {
  const { smtp, from } = policy('smtps://a:100%@[2001:db8::1]', 'kontor@kontor.example') ?? {}
  assert.deepEqual([smtp?.host, smtp?.port, smtp?.isSecure, smtp?.login?.pass], ['2001:db8::1', 465, true, '100%'])
  assert.deepEqual(from, { name: '', address: 'kontor@kontor.example' })
})

test('no mails are sent without a server', () => {
  assert.equal(policyOf({ PUBLIC_ORIGIN: 'https://kontor.example', MAILS_PER_DAY: 5 } as never), undefined)
})
