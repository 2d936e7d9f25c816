// `npm run generate`: writes every committed generated file. With --check it writes nothing and lists the files that differ.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countryCodes } from '../kernel/country.ts'
import { methods, sessionMethods, statusTables } from '../methods.ts'
import { methodPath } from '../platform/http/paths.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { variables } from '../platform/process/config.ts'
import { clientProgram } from '../test/harness/postgres-programs.ts'
import { everyDeclaration } from '../test/harness/statements.ts'
import { conformanceDocument } from '../test/rules/conformance.ts'
import { startResources } from '../test/runner/resources.ts'
import { alertsFile } from './alerts.ts'
import { collection } from './collection.ts'
import { configurationPage } from './configuration.ts'
import { dashboardFile } from './dashboard.ts'
import { findDrift, updateFiles } from './generated-files.ts'
import { metricsPage } from './metrics-page.ts'
import { openapi } from './openapi.ts'
import { generatePhp } from './php-client.ts'
import { generatePython } from './python-client.ts'
import { reference } from './reference.ts'
import { dumpSchema } from './schema-dump.ts'
import { sqlDocuments } from './sql-documents.ts'
import { generateTypescript } from './typescript-client.ts'
import { generateCountries, generateStatuses, generateWeb } from './web.ts'

const root = join(import.meta.dirname, '..', '..')

/** The PostgreSQL in which the schema is created. */
const resources = await startResources()

type Texts = Iterable<readonly [path: string, text: string]>

const generators: Readonly<Record<string, () => Texts | Promise<Texts>>> = {
  'the OpenAPI document': () => [
    ['docs/openapi.json', `${JSON.stringify(openapi(methods, { methodPath }), null, 2)}\n`],
  ],
  'the collection of requests': () => [
    ['docs/kontor.postman_collection.json', `${JSON.stringify(collection(methods, { methodPath }), null, 2)}\n`],
  ],
  'the reference': () =>
    reference(methods, { methodPath })
      .entries()
      .map(([name, text]) => [`docs/reference/${name}`, text] as const),
  'the clients': () => [
    ['clients/typescript/src/methods.ts', generateTypescript(methods, { methodPath })],
    ['clients/python/kontor/methods.py', generatePython(methods, { methodPath })],
    ...generatePhp(methods, { methodPath })
      .entries()
      .map(([name, text]) => [`clients/php/src/${name}`, text] as const),
  ],
  'the settings': () => [['docs/guides/configuration.md', configurationPage(variables)]],
  'the methods, statuses and countries of the screens': () => [
    ['web/src/methods.ts', generateWeb([...methods, ...sessionMethods])],
    ['web/src/statuses.ts', generateStatuses(statusTables)],
    ['web/src/countries.ts', generateCountries(countryCodes)],
  ],
  'the SQL': async () =>
    sqlDocuments(await everyDeclaration(), JSON.parse(readFileSync(join(root, 'docs/sql/senders.json'), 'utf8')))
      .entries()
      .map(([name, text]) => [`docs/sql/${name}`, text] as const),
  'the metrics, their alerts and their dashboard': () => [
    ['docs/reference/metrics.md', metricsPage()],
    ['deploy/prometheus/alerts.yaml', alertsFile()],
    ['deploy/helm/kontor/files/alerts.yaml', alertsFile()],
    ['deploy/grafana/dashboard.json', dashboardFile()],
  ],
  'the list of rules': () => [['docs/conformance.md', conformanceDocument()]],
  'the schema': async () => [
    ['migrations/schema.sql', await dumpSchema(resources.serverUrl, migrate, clientProgram('pg_dump'))],
  ],
}

// When one generator fails, the files of the others are still written.
const texts = new Map<string, string>()
for (const [name, generate] of Object.entries(generators)) {
  try {
    for (const [path, text] of await generate()) texts.set(path, text)
  } catch (error) {
    console.error(`${name} cannot be generated: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}

await resources.stop()

// Left-over pages can be determined only when the pages themselves were generated.
const drift = findDrift(root, texts, [
  ...(texts.has('docs/reference/README.md') ? ['docs/reference/**/*.md'] : []),
  ...(texts.has('docs/sql/sales.sql') ? ['docs/sql/*.sql'] : []),
  ...(texts.has('clients/php/src/Methods.php') ? ['clients/php/src/Sections/*.php'] : []),
])
const isCheck = process.argv.includes('--check')
if (!isCheck) updateFiles(root, texts, drift)
for (const { path, reason } of drift)
  console.log(isCheck ? `${path} is not up to date: ${reason}` : `${path}: was ${reason}, updated`)
if (isCheck && drift.length > 0) process.exitCode = 1
