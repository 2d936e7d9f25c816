// kontor feed new-epoch: makes the clients of the feed read everything again after a restore.

import { readConfig } from '../platform/process/config.ts'
import { listCompanies } from '../tenants/companies.ts'
import { beginEpoch, raise } from '../tenants/new-epoch.ts'
import { asOwner, inCompany } from '../tenants/owner.ts'
import { type Command, companyOption, options, systemContext, UsageError } from './command.ts'
import { loadCompany } from './company-list.ts'

const companiesAtOnce = 1_000

export const feed: Command = {
  words: ['feed', 'new-epoch'],
  usage: 'feed new-epoch --all | --company ID [--json]',
  summary: 'Restart the change feed after a restore',
  help: `Run it after every restore, before the service starts. Changes that were made after the backup are lost, and clients may have read them: with a new epoch their
next request is refused, and they read everything again. The numbers of events and the ids of records go on ${raise.toLocaleString('en')} further, so that no id of a lost record is used for another one.
Numbers of documents go on as before.
  --all          every company
  --company ID   one company
  --json         print one JSON line for each company: its id and its epoch`,
  run: async (rest) => {
    const { values } = options(rest, {
      all: { type: 'boolean', default: false },
      company: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    if (values.all === (values.company !== undefined)) throw new UsageError('either --all or --company is expected')
    const one = values.all ? undefined : companyOption(values.company)
    let changed = 0
    await asOwner(readConfig(process.env).DATABASE_URL, async (client) => {
      const begin = async (companyId: number): Promise<void> => {
        const { requestId } = systemContext(companyId)
        const epoch = await inCompany(client, companyId, () => beginEpoch(client, companyId, requestId))
        // The deletion of the company was interrupted.
        if (epoch === undefined) return
        changed++
        if (values.json) console.log(JSON.stringify({ company_id: companyId, epoch }))
      }
      if (one !== undefined) return await begin((await loadCompany(client, one)).company_id)
      for (let after = 0; ; ) {
        const companies = await listCompanies(client, { search: undefined, after, limit: companiesAtOnce })
        for (const { company_id: companyId } of companies) await begin(companyId)
        after = companies.at(-1)?.company_id ?? after
        if (companies.length < companiesAtOnce) return
      }
    })
    if (!values.json) console.log(`The feed has a new epoch. Companies: ${changed}`)
    return 0
  },
}
