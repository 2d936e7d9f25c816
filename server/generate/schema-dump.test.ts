// The committed schema changes when the schema does, and only then.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { migrate } from '../platform/postgres/migrate.ts'
import { clientProgram } from '../test/harness/postgres-programs.ts'
import { testServerUrl } from '../test/harness/test-server.ts'
import { dumpSchema, schemaText } from './schema-dump.ts'

const dump = (token: string, version: string, owner: string) => `--
-- PostgreSQL database dump
--

\\restrict ${token}

-- Dumped from database version ${version}

SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);


CREATE TABLE public.companies (
    name text DEFAULT 'SET aside'::text NOT NULL
);


CREATE POLICY owner_lists ON public.companies FOR SELECT TO ${owner} USING (true);

\\unrestrict ${token}
`

test('the text does not depend on the user, the time or the patch version of the dump', () => {
  const text = schemaText(dump('aaa', '15.1', 'postgres'), 'postgres')
  assert.equal(schemaText(dump('bbb', '15.19 (Debian)', 'kontor'), 'kontor'), text)
  assert.equal(
    text.slice(text.indexOf('CREATE')),
    `CREATE TABLE public.companies (
    name text DEFAULT 'SET aside'::text NOT NULL
);

CREATE POLICY owner_lists ON public.companies FOR SELECT TO CURRENT_USER USING (true);
`,
  )
})

test('the dump contains tables, row level security policies and privileges, and the temporary database is dropped', async () => {
  const serverUrl = testServerUrl()
  const text = await dumpSchema(serverUrl, migrate, clientProgram('pg_dump'))
  for (const part of [
    'CREATE TABLE public.sales (',
    'ALTER TABLE ONLY public.sales FORCE ROW LEVEL SECURITY;',
    'CREATE POLICY own_company ON public.sales',
    'GRANT SELECT,INSERT ON TABLE public.stock_movements TO kontor_server;',
  ]) {
    assert.ok(text.includes(part), part)
  }
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  const { rows } = await client.query(
    "select datname from pg_database where datname like 'kontor_schema_' || $1 || '_%'",
    [process.pid],
  )
  await client.end()
  assert.deepEqual(rows, [])
})
