// The table of checks in the reference, against the server: a request that fails a check and all later ones is refused by this check.

import assert from 'node:assert/strict'
import { type PublicCode, statusOf } from '../../../kernel/refusal.ts'
import { methodPath } from '../../../platform/http/paths.ts'
import { checks } from '../../../platform/requests/shared-failures.ts'
import { send } from '../../harness/app.ts'
import { connection } from '../../harness/connection.ts'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'

/** `orders/add` with everything wrong that one of the codes is about, and nothing else. */
async function refused(codes: ReadonlySet<PublicCode>, isKeyWrong: boolean): Promise<readonly unknown[]> {
  const has = (code: PublicCode): boolean => codes.has(code)
  const company = await given.company(has('daily_limit_reached') ? { daily_limit: 0 } : {})
  const { headers } = await connection(company, {
    read_only: has('key_forbids_method'),
    ...(has('key_forbids_address') ? { networks: ['192.0.2.0/24'] } : {}),
  })
  const reply = await send(methodPath(has('unknown_method') ? 'orders/nothing' : 'orders/add'), {
    method: has('post_required') ? 'PUT' : 'POST',
    headers: {
      ...headers,
      ...(isKeyWrong ? { authorization: 'nonsense' } : {}),
      ...(has('unauthorized') ? { origin: 'https://elsewhere.example' } : {}),
      ...(has('dry_run_invalid') ? { 'kontor-dry-run': 'perhaps', 'idempotency-key': 'x'.repeat(256) } : {}),
    },
    body: has('body_not_json') ? '{' : '{}',
  })
  return [reply.status, reply.headers.get('kontor-error-code')]
}

/** The code that such a request has, where a check has several. */
const sentOf = (codes: readonly PublicCode[]): PublicCode | undefined =>
  codes.find((code) => code !== 'body_too_large' && code !== 'body_not_an_object')

rule('checks.documented', async () => {
  for (const [at, { check, codes }] of checks.entries()) {
    const first = sentOf(codes)
    if (first === undefined) continue
    const failing = new Set(checks.slice(at).flatMap((later) => later.codes))
    assert.deepEqual(await refused(failing, at === 0), [statusOf(first), first], check)
  }
  assert.deepEqual(await refused(new Set(), false), [400, 'required'], 'the rules of the method are the last')
})
