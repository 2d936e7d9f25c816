// The programs of PostgreSQL are found, or the message says what to install.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientProgram } from './postgres-programs.ts'

test('a client program that is not installed is reported with the package that has it', () => {
  assert.throws(() => clientProgram('pg_absent'), {
    message: 'pg_absent was not found: install the client programs of PostgreSQL (Debian: postgresql-client)',
  })
})
