// kontor company import: reads an archive of a company into the database, and audits the company.

import { auditCompany, fillingIn, prepareAudit } from '../audit.ts'
import { appliedMigrations, refuseUnsuitable, schemaDifference } from '../platform/postgres/schema-version.ts'
import { readConfig } from '../platform/process/config.ts'
import { type Imported, importCompany, type TargetId } from '../tenants/archive/import.ts'
import { asOwner } from '../tenants/owner.ts'
import { type Command, companyOption, options, printable, UsageError } from './command.ts'

export const importCommand: Command = {
  words: ['company', 'import'],
  usage: 'company import [--company ID|new] [--json]',
  summary: 'Read an archive of a company into the database',
  help: `Reads the archive from the standard input, in one transaction: either the whole company is there afterwards, or nothing has changed. Then audits the company. An
archive of the same or an older schema is taken. The change feed has a new epoch, and webhooks send nothing that happened before. Without secrets, and under another id,
there are no keys, nobody knows a password, and webhooks are turned off with new secrets. docs/guides/archives.md says what to do then.
  --company ID|new  import under another id, or a new one; default: the id in the archive
  --json            print one JSON line: the id, the epoch, the rows by table, and what was left out

Exits with 0 if all invariants of the company hold, and with 1 if the archive is refused or an invariant is broken.`,
  run: async (rest) => {
    const { values } = options(rest, { company: { type: 'string' }, json: { type: 'boolean', default: false } })
    const target: TargetId =
      values.company === undefined ? 'same' : values.company === 'new' ? 'new' : companyOption(values.company)
    if (process.stdin.isTTY)
      throw new UsageError('the archive is expected on the standard input: company import < FILE')
    const url = readConfig(process.env).DATABASE_URL
    const imported = await asOwner(url, async (client) => {
      refuseUnsuitable(schemaDifference(await appliedMigrations(client)))
      return await importCompany(client, process.stdin, target)
    })
    if (values.json) console.log(JSON.stringify(imported))
    else for (const line of linesOf(imported)) console.log(line)
    return (await report(url, imported.company_id)) ? 0 : 1
  },
}

function* linesOf({ company_id: id, name, rows, secrets, ...settled }: Imported): Generator<string> {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  yield `Company ${id} "${printable(name)}" is imported: ${total} rows.`
  if (!secrets) yield `It has no keys, and no user has a password: see "key create" and "user password".`
  for (const email of settled.taken_emails)
    yield `${printable(email)} signs in to as many companies as an email can, so this user is removed here.`
  if (settled.webhooks_turned_off > 0) yield `Webhooks that are turned off: ${settled.webhooks_turned_off}.`
}

/** Whether all invariants hold, except where a backfill has not been yet. */
async function report(url: string, companyId: number): Promise<boolean> {
  const { open } = await prepareAudit(url, companyId)
  const found = await auditCompany(url, companyId)
  const broken = found.filter((one) => fillingIn(one, companyId, open) === undefined)
  if (found.length > broken.length) console.error('kontor: backfills still fill in rows of the company')
  if (broken.length === 0) console.error('kontor: all invariants of the company hold')
  else console.error(`kontor: ${broken.length} rows are broken: run "kontor audit --company ${companyId}"`)
  return broken.length === 0
}
