// kontor company delete: removes a company with everything it has stored.

import { createInterface } from 'node:readline/promises'
import { readConfig } from '../platform/process/config.ts'
import { deleteCompany } from '../tenants/company-delete.ts'
import { asOwner } from '../tenants/owner.ts'
import { type Command, companyArgument, options, UsageError } from './command.ts'
import { loadCompany } from './company-list.ts'

export const remove: Command = {
  words: ['company', 'delete'],
  usage: 'company delete ID [--confirm NAME] [--json]',
  summary: 'Delete a company with everything it has stored',
  help: `Its keys and sessions stop working at once. Then every row of the company is deleted from every table, in portions; other companies can work
meanwhile. It cannot be undone: export the company first, and restore a backup if you were wrong. Run it again if it was interrupted.
  --confirm NAME  the name of the company, exactly; without it, the command asks for the name
  --json          print one JSON line: the number of deleted rows by table`,
  run: async (rest) => {
    const { values, positionals } = options(
      rest,
      { confirm: { type: 'string' }, json: { type: 'boolean', default: false } },
      true,
    )
    const companyId = companyArgument(positionals)
    return await asOwner(readConfig(process.env).DATABASE_URL, async (client) => {
      const { name } = await loadCompany(client, companyId)
      await confirmed(values.confirm, name, `Company ${companyId} is called "${name}". Type its name to delete it: `)
      const rows = await deleteCompany(client, companyId)
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
      console.log(values.json ? JSON.stringify(rows) : `Company ${companyId} is deleted: ${total} rows.`)
      return 0
    })
  },
}

/** Throws unless the name was given, or is typed at a terminal. */
export async function confirmed(given: string | undefined, name: string, question: string): Promise<void> {
  if (given === undefined && !process.stdin.isTTY)
    throw new UsageError(`nothing was changed: confirm with --confirm and the name, ${JSON.stringify(name)}`)
  if ((given ?? (await typed(question))) !== name)
    throw new UsageError(`nothing was changed: the name is ${JSON.stringify(name)}`)
}

async function typed(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}
