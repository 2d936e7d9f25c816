// The Python client: amounts are decimals, days and times have their own types, and no value is a float.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { url } from '../server/test/harness/app.ts'
import { given } from '../server/test/harness/given.ts'

const run = promisify(execFile)

test('the Python client sends and returns exact decimals, days and times, and refuses floats and times without a zone', async () => {
  const company = await given.company()
  const { stdout } = await run('python3', ['python/exact.py'], {
    cwd: import.meta.dirname,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', KONTOR_URL: url(), KONTOR_KEY: company.key },
  })
  assert.deepEqual(JSON.parse(stdout), {
    price: [true, 'Decimal'],
    amount: [true, true],
    total: ['0.1', 'Decimal'],
    days: ['datetime.date(2026, 1, 31)', 'None', 'datetime.date(2026, 2, 1)'],
    times: [true, true],
    updated_after: [1, 0],
    effects: ['Decimal', 'Decimal'],
    floats: 0,
    refused: [
      'TypeError: price is a float, which may not have the digits that you mean: use Decimal, int or str',
      'ValueError: price is not a finite number',
      'ValueError: updated_after is a time without a zone',
      'TypeError: name is a bytes, which cannot be sent',
    ],
  })
})
