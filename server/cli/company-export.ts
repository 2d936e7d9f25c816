// kontor company export: writes everything that a company has stored to a file.

import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { readConfig } from '../platform/process/config.ts'
import { exportCompany } from '../tenants/company-export.ts'
import { asOwner } from '../tenants/owner.ts'
import { type Command, companyArgument, options, UsageError } from './command.ts'
import { loadCompany } from './company-list.ts'

export const exportCommand: Command = {
  words: ['company', 'export'],
  usage: 'company export ID --out FILE [--without-log]',
  summary: 'Write everything that a company has stored to a file',
  help: `One JSON line for each row, table by table, after a header; the last line has the number of rows and the SHA-256 of all lines before it. All rows are of the
same moment. Hashes of keys, passwords, sessions, links and emails are left out. Only you may read the file: it contains personal data.
  --out FILE     the file, which must not exist
  --without-log  leave out the request log`,
  run: async (rest) => {
    const { values, positionals } = options(
      rest,
      { out: { type: 'string' }, 'without-log': { type: 'boolean', default: false } },
      true,
    )
    const companyId = companyArgument(positionals)
    const file = values.out ?? ''
    if (file === '') throw new UsageError('--out is missing: which file should be written?')
    if (existsSync(file)) throw new UsageError(`${file} exists already`)
    const total = await asOwner(readConfig(process.env).DATABASE_URL, async (client) => {
      const company = await loadCompany(client, companyId)
      // Complete under its own name only.
      const partial = `${file}.partial`
      const out = createWriteStream(partial, { flags: 'wx', mode: 0o600 })
      try {
        const { rows } = await exportCompany(client, company, out, { withLog: !values['without-log'] })
        await rename(partial, file)
        return Object.values(rows).reduce((sum, count) => sum + count, 0)
      } catch (error) {
        out.destroy()
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(partial, { force: true })
        throw error
      }
    })
    console.log(`Company ${companyId} is exported: ${total} rows.`)
    return 0
  },
}
