// `npm run generate`: writes every committed file that is made from another. With --check it writes nothing and names what drifts.

import { join } from 'node:path'
import { entrances } from './access/methods.ts'
import { methods } from './methods.ts'
import { generateClient } from './platform/generate-client.ts'
import { generateWeb } from './platform/generate-web.ts'
import { findDrift, mend } from './platform/generated-files.ts'
import { methodPath } from './platform/http.ts'
import { migrate } from './platform/migrate.ts'
import { openapi } from './platform/openapi.ts'
import { reference } from './platform/reference.ts'
import { dumpSchema } from './platform/schema-dump.ts'
import { conformanceDocument } from './testing/conformance.ts'

const root = join(import.meta.dirname, '..')
const databaseUrl = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

type Texts = Iterable<readonly [path: string, text: string]>

const makers: Readonly<Record<string, () => Texts | Promise<Texts>>> = {
  'the OpenAPI document': () => [
    ['docs/openapi.json', `${JSON.stringify(openapi(methods, { methodPath }), null, 2)}\n`],
  ],
  'the reference': () =>
    reference(methods, { methodPath })
      .entries()
      .map(([name, text]) => [`docs/reference/${name}`, text] as const),
  'the client': () => [['client/src/methods.ts', generateClient(methods, { methodPath })]],
  'the methods of the screens': () => [['web/src/methods.ts', generateWeb([...methods, ...entrances])]],
  'the list of rules': () => [['docs/conformance.md', conformanceDocument()]],
  'the schema': async () => [['migrations/schema.sql', await dumpSchema(databaseUrl, migrate)]],
}

// One that cannot be made keeps none of the others from being written.
const texts = new Map<string, string>()
for (const [name, make] of Object.entries(makers)) {
  try {
    for (const [path, text] of await make()) texts.set(path, text)
  } catch (error) {
    console.error(`${name} cannot be made: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}

// Left-over pages are known only when the pages themselves could be made.
const drift = findDrift(root, texts, texts.has('docs/reference/README.md') ? ['docs/reference/**/*.md'] : [])
const isCheck = process.argv.includes('--check')
if (!isCheck) mend(root, texts, drift)
for (const { path, reason } of drift)
  console.log(isCheck ? `${path} drifts: ${reason}` : `${path}: was ${reason}, mended`)
if (isCheck && drift.length > 0) process.exitCode = 1
