// kontor key: creates, revokes and lists API keys.

import { addKey, type ConnectionKey, listKeys, revokeKey } from '../access/administration.ts'
import { defaultPrefix } from '../access/companies.ts'
import { hashOf, hintOf, newKey } from '../access/keys.ts'
import type { WriteMethod } from '../kernel/method.ts'
import { runWrite } from '../platform/requests/run.ts'
import { type Command, companyOption, options, successful, systemContext, UsageError, withDatabase } from './command.ts'

const create: Command = {
  words: ['key', 'create'],
  usage: 'key create --company ID [--name N] [--prefix P] [--connection C]',
  summary: 'Create an API key, for a new connection or an existing one',
  help: `  --company ID    the company
  --name N        name of the new connection (default: API connection)
  --prefix P      number prefix of the new connection (default ${defaultPrefix})
  --connection C  create another key for this connection instead: the old key remains valid until it is revoked
  --json          print one JSON line: connection_id, api_key
The key is shown only once: only its hash is stored.`,
  run: async (rest) => {
    const { values } = options(rest, {
      company: { type: 'string' },
      name: { type: 'string', default: 'API connection' },
      prefix: { type: 'string', default: defaultPrefix },
      connection: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    const connectionId = values.connection === undefined ? undefined : Number(values.connection)
    if (connectionId !== undefined && !Number.isSafeInteger(connectionId))
      throw new UsageError('--connection must be a number')
    const apiKey = newKey()
    const answer = await change(companyOption(values.company), addKey, {
      hash: hashOf(apiKey),
      hint: hintOf(apiKey),
      connectionId,
      name: values.name,
      prefix: values.prefix,
    })
    if (values.json) console.log(JSON.stringify({ connection_id: answer.connection_id, api_key: apiKey }))
    else console.log(`Connection ${answer.connection_id}. API key (shown this once): ${apiKey}`)
    return 0
  },
}

const revoke: Command = {
  words: ['key', 'revoke'],
  usage: 'key revoke --company ID --key K',
  summary: 'Revoke an API key at once, in every process',
  help: '  --key K  the eight digits that "key list" shows first',
  run: async (rest) => {
    const { values } = options(rest, { company: { type: 'string' }, key: { type: 'string' } })
    if (values.key === undefined) throw new UsageError('--key is missing: "key list" shows the keys')
    await change(companyOption(values.company), revokeKey, { keyId: values.key })
    console.log(`Key ${values.key} is revoked.`)
    return 0
  },
}

const list: Command = {
  words: ['key', 'list'],
  usage: 'key list --company ID [--json]',
  summary: 'Show the API keys of a company',
  help: 'The keys themselves are not stored; the part that is shown is enough to distinguish them.',
  run: async (rest) => {
    const { values } = options(rest, { company: { type: 'string' }, json: { type: 'boolean', default: false } })
    const companyId = companyOption(values.company)
    const keys = await withDatabase(({ pool }) =>
      pool.use(async (connection) => {
        const trip = await connection.roundTrip([
          `begin; set local app.company_id = '${companyId}'`,
          listKeys({ company_id: companyId }),
          'commit',
        ])
        return trip.rows<ConnectionKey>(1)
      }),
    )
    for (const key of keys) {
      const state = key.revoked_at === null ? 'live' : `revoked ${key.revoked_at}`
      if (values.json) console.log(JSON.stringify(key))
      else
        console.log(
          `${key.key_id}  ${key.hint}  connection ${key.connection_id} "${key.name}", prefix "${key.number_prefix}", ${state}`,
        )
    }
    if (keys.length === 0) console.error(`kontor: company ${companyId} has no keys, or does not exist`)
    return keys.length === 0 ? 1 : 0
  },
}

async function change<I, Facts, Plan>(
  companyId: number,
  method: WriteMethod<I, Facts, Plan>,
  input: I,
): Promise<{ connection_id: number }> {
  const outcome = await withDatabase(({ pool }) =>
    runWrite(pool, method, input, systemContext(companyId), undefined, undefined),
  )
  return successful(outcome)
}

export const key: readonly Command[] = [create, revoke, list]
