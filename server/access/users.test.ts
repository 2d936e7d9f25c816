// How the refusal of an email that is taken is recognized.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmailTaken } from './users.ts'

const unique = { code: '23505' }

test('a taken email is recognized by the constraint, and on a cluster by the message of a worker', () => {
  for (const error of [
    { ...unique, constraint: 'sign_ins_pkey' },
    { ...unique, constraint: 'sign_ins_pkey_102012' },
    { ...unique, message: 'duplicate key value violates unique constraint "sign_ins_pkey"' },
    { ...unique, message: 'duplicate key value violates unique constraint "sign_ins_pkey_102012"' },
  ])
    assert.equal(isEmailTaken(error), true, JSON.stringify(error))
  for (const error of [
    { ...unique, constraint: 'users_pkey' },
    { ...unique, constraint: 'users_pkey', message: '"sign_ins_pkey"' },
    { ...unique, message: 'duplicate key value violates unique constraint "users_pkey_102012"' },
    { code: '40001', message: '"sign_ins_pkey"' },
    undefined,
  ])
    assert.equal(isEmailTaken(error), false, JSON.stringify(error))
})
