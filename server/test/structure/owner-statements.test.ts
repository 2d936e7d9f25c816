// Statements that run as the owner of the tables and are not declared: those of backfills and new epochs follow the rules of a cluster too.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOwner } from '../../cluster/distribute.ts'
import { statementComplaints } from '../../cluster/sharding-rules.ts'
import { treeComplaints } from '../../cluster/sharding-statements.ts'
import { backfills } from '../../platform/postgres/backfills.ts'
import { statementsOfEvents } from '../../platform/postgres/events-of-records.ts'
import { statementsOfEpoch } from '../../tenants/new-epoch.ts'
import { databaseUrl } from '../harness/database.ts'

const portions = backfills.flatMap((one): [string, string][] => ('portion' in one ? [[one.name, one.portion]] : []))
const statements = new Map<string, string>(
  [...statementsOfEpoch, ...statementsOfEvents]
    .map((text, at): [string, string] => [`statement_${at}`, text])
    .concat(portions),
)

test('backfills and new epochs change one table at a time, without functions that a cluster refuses', async () => {
  assert.ok(statements.size >= 6)
  assert.deepEqual(statementComplaints(statements), [])
  const { refused, scattered } = await asOwner(databaseUrl(), (run) => treeComplaints(run, statements))
  assert.deepEqual([refused, scattered], [[], []])
})
