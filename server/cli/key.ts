// kontor key: creates, revokes and lists API keys, and replaces a connection by another.

import { addKey, type ConnectionKey, listKeys, revokeKey } from '../access/administration.ts'
import { defaultPrefix } from '../access/companies.ts'
import { keyOf, newKeySecret } from '../access/keys.ts'
import { replaceConnection } from '../access/replace-connection.ts'
import { readScope, type Scope, wholeScope } from '../access/scope.ts'
import { scopeText } from '../kernel/key-scope.ts'
import type { WriteMethod } from '../kernel/method.ts'
import { Refusal } from '../kernel/refusal.ts'
import {
  type Command,
  companyOption,
  options,
  printable,
  UsageError,
  withDatabase,
  writeAsOperator,
} from './command.ts'

const create: Command = {
  words: ['key', 'create'],
  usage:
    'key create --company ID [--name N] [--prefix P] [--read-only] [--sections S] [--expires DAY] [--networks N] [--hide-costs] [--daily-limit N] [--connection C]',
  summary: 'Create an API key, for a new connection or an existing one',
  help: `  --company ID    the company
  --name N        name of the new connection (default: API connection)
  --prefix P      number prefix of the new connection (default ${defaultPrefix})
  --read-only     the keys of the new connection may call only methods that read
  --sections S    they may call only these sections, separated by commas: orders,stock (default: all)
  --expires DAY   the last day on which they work, YYYY-MM-DD (default: they do not expire)
  --networks N    they may be used only from these networks, separated by commas: 10.0.0.0/8 (default: any)
  --hide-costs    costs are left out of the responses to them
  --daily-limit N requests per day (default: all those of the company)
  --connection C  create another key for this connection instead: the old key remains valid until it is revoked
  --json          print one JSON line: connection_id, api_key
The key is shown only once: only its hash is stored.`,
  run: async (rest) => {
    const { values } = options(rest, {
      company: { type: 'string' },
      name: { type: 'string', default: 'API connection' },
      prefix: { type: 'string', default: defaultPrefix },
      'read-only': { type: 'boolean', default: false },
      sections: { type: 'string' },
      expires: { type: 'string' },
      networks: { type: 'string' },
      'hide-costs': { type: 'boolean', default: false },
      'daily-limit': { type: 'string' },
      connection: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    const connectionId = values.connection === undefined ? undefined : Number(values.connection)
    if (connectionId !== undefined && !Number.isSafeInteger(connectionId))
      throw new UsageError('--connection must be a number')
    const scope = scopeOf(values)
    if (connectionId !== undefined && scope !== wholeScope)
      throw new UsageError(
        'the rights of a key are those of its connection: --connection excludes the options for them',
      )
    const secret = newKeySecret()
    const answer = await change(companyOption(values.company), addKey, {
      secret,
      connectionId,
      name: values.name,
      prefix: values.prefix,
      scope,
    })
    const apiKey = keyOf(secret, { isTest: answer.is_test === true })
    if (values.json) console.log(JSON.stringify({ connection_id: answer.connection_id, api_key: apiKey }))
    else console.log(`Connection ${answer.connection_id}. API key (shown this once): ${apiKey}`)
    return 0
  },
}

type ScopeOptions = {
  readonly 'read-only': boolean
  readonly sections?: string
  readonly expires?: string
  readonly networks?: string
  readonly 'hide-costs': boolean
  readonly 'daily-limit'?: string
}

function scopeOf(given: ScopeOptions): Scope {
  const { 'read-only': readOnly, sections, expires, networks, 'hide-costs': hidesCosts } = given
  const { 'daily-limit': limit } = given
  if (!(readOnly || hidesCosts) && [sections, expires, networks, limit].every((one) => one === undefined))
    return wholeScope
  if (limit?.trim() === '') throw new UsageError('--daily-limit is empty: leave it out for no limit')
  try {
    return {
      ...wholeScope,
      ...readScope({
        read_only: readOnly,
        sections: listOf('--sections', sections),
        expires_on: expires ?? '',
        networks: listOf('--networks', networks),
        hides_costs: hidesCosts,
        daily_limit: limit ?? '',
      }),
    }
  } catch (error) {
    throw error instanceof Refusal ? new UsageError(error.message) : error
  }
}

/** An option that is given but empty is an unset variable of a script, and must not grant everything. */
function listOf(option: string, value: string | undefined): string[] {
  const list = (value ?? '').split(',').filter((one) => one.trim() !== '')
  if (value !== undefined && list.length === 0) throw new UsageError(`${option} is empty: leave it out to allow all`)
  return list
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

const replace: Command = {
  words: ['key', 'replace'],
  usage: 'key replace --company ID --connection C --by D',
  summary: 'Give the external ids of a connection to another one, and revoke its keys',
  help: `  --connection C  the old connection: its keys stop working at once
  --by D          the new connection, which takes over its external ids and Idempotency-Keys
"key list" shows the connections. Nothing is changed if external ids of the two collide. To give a connection only
another key, use "key create --connection C".`,
  run: async (rest) => {
    const { values } = options(rest, {
      company: { type: 'string' },
      connection: { type: 'string' },
      by: { type: 'string' },
    })
    const companyId = companyOption(values.company)
    try {
      const input = replaceConnection.input.read({ connection_id: values.connection, by_connection_id: values.by })
      await change(companyId, replaceConnection, input)
    } catch (error) {
      throw error instanceof Refusal ? new UsageError(error.message) : error
    }
    console.log(`Connection ${values.connection} is replaced by connection ${values.by}. Its keys are revoked.`)
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
      const expiry = key.expires_on === null ? '' : `, expires after ${key.expires_on}`
      const used =
        key.last_used_on === null ? 'not used yet' : `last used ${key.last_used_on} from ${key.last_used_from}`
      if (values.json) console.log(JSON.stringify(key))
      else
        console.log(
          `${key.key_id}  ${key.hint}  connection ${key.connection_id} "${printable(key.name)}", prefix "${printable(key.number_prefix)}", may do: ${scopeText(key)}${expiry}, ${used}, ${state}`,
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
): Promise<{ readonly connection_id: number; readonly is_test?: boolean }> {
  return await withDatabase(({ pool }) => writeAsOperator(pool, method, input, companyId))
}

export const key: readonly Command[] = [create, revoke, replace, list]
