// kontor company export: writes an archive of everything that a company has stored.

import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { readConfig } from '../platform/process/config.ts'
import { exportCompany } from '../tenants/archive/export.ts'
import type { Summary } from '../tenants/archive/format.ts'
import { readFigures } from '../tenants/companies.ts'
import { asOwner } from '../tenants/owner.ts'
import { type Command, companyOption, options, UsageError } from './command.ts'
import { halfDeleted, loadCompany } from './company-list.ts'

export const exportCommand: Command = {
  words: ['company', 'export'],
  usage: 'company export --company ID [--out FILE]',
  summary: 'Write an archive of everything that a company has stored',
  help: `Writes the archive to the standard output: every row of the company, all of the same moment, compressed with zstd. "company import" reads it. It contains
personal data. Keys, passwords, links and secrets of webhooks are left out. docs/guides/archives.md describes what an archive contains.
  --company ID     the company
  --out FILE       write a file, which must not exist and which only you may read
  --without-log    leave out the request log
  --with-secrets   include the hashes of keys, passwords and links, and the secrets of webhooks, so that they work after an import under the same id`,
  run: async (rest) => {
    const { values } = options(rest, {
      company: { type: 'string' },
      out: { type: 'string' },
      'without-log': { type: 'boolean', default: false },
      'with-secrets': { type: 'boolean', default: false },
    })
    const companyId = companyOption(values.company)
    const wanted = { withSecrets: values['with-secrets'], withLog: !values['without-log'] }
    const { out: file } = values
    if (file === undefined && process.stdout.isTTY)
      throw new UsageError('an archive is not for a terminal: redirect the output, or give --out FILE')
    if (file !== undefined && existsSync(file)) throw new UsageError(`${file} exists already`)
    const { rows } = await asOwner(readConfig(process.env).DATABASE_URL, async (client) => {
      const company = await loadCompany(client, companyId)
      if ((await readFigures(client, companyId)) === undefined)
        throw new UsageError(`company ${companyId}: ${halfDeleted}`)
      const write = (out: Writable) => exportCompany(client, company, out, wanted)
      return file === undefined ? await write(process.stdout) : await writeFile(file, write)
    })
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    // The standard output is the archive.
    console.error(`kontor: company ${companyId} is exported: ${total} rows`)
    return 0
  },
}

/** The file is complete under its own name only. */
async function writeFile(file: string, write: (out: Writable) => Promise<Summary>): Promise<Summary> {
  const partial = `${file}.partial`
  const out = createWriteStream(partial, { flags: 'wx', mode: 0o600 })
  try {
    const summary = await write(out)
    await rename(partial, file)
    return summary
  } catch (error) {
    out.destroy()
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(partial, { force: true })
    throw error
  }
}
