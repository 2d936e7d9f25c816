// The operators guide shows the haproxy configuration that the campaign uses.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { proxyConfig } from './proxy.ts'

test('the operators guide shows the haproxy configuration that is tested', () => {
  const guide = readFileSync(fileURLToPath(new URL('../../docs/guides/operators.md', import.meta.url)), 'utf8')
  assert.ok(guide.includes(`\`\`\`\n${proxyConfig({ own: 8000, stats: 8404, servers: [8081, 8082] })}\`\`\`\n`))
})
