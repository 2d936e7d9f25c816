// kontor webhook: creates, lists and deletes the webhooks of a company, and sends events again.

import { addWebhook } from '../access/webhooks/add.ts'
import { deleteWebhook } from '../access/webhooks/delete.ts'
import { setAddressPolicy } from '../access/webhooks/endpoint.ts'
import { listWebhooks } from '../access/webhooks/get_list.ts'
import { replayWebhook } from '../access/webhooks/replay.ts'
import type { WriteMethod } from '../kernel/method.ts'
import { readConfig } from '../platform/process/config.ts'
import { responseText } from '../platform/requests/response-text.ts'
import { runRead } from '../platform/requests/run.ts'
import {
  type Command,
  companyOption,
  options,
  printable,
  systemContext,
  UsageError,
  withDatabase,
  writeAsOperator,
} from './command.ts'

const missingWebhook = '--webhook is missing: "webhook list" shows the webhooks'

const change = <I, Facts, Plan>(companyId: number, method: WriteMethod<I, Facts, Plan>, input: I) =>
  withDatabase(({ pool }) => writeAsOperator(pool, method, input, companyId))

const add: Command = {
  words: ['webhook', 'add'],
  usage: 'webhook add --company ID --url URL [--types T] [--description D] [--json]',
  summary: 'Create a webhook: changes of a company are sent to an address',
  help: `  --company ID     the company
  --url URL        an https address; WEBHOOK_ALLOW_NETWORKS and WEBHOOK_ALLOW_HTTP allow others
  --types T        types of events, separated by commas: order.created,order.updated (default: all)
  --description D  what it is for
  --json           print one JSON line: webhook_id, secret
The secret verifies the messages. It is shown only once; the screens issue a new one.`,
  run: async (rest) => {
    const { values } = options(rest, {
      company: { type: 'string' },
      url: { type: 'string' },
      types: { type: 'string', default: '' },
      description: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    })
    const { url, description, json } = values
    const companyId = companyOption(values.company)
    if (url === undefined) throw new UsageError('--url is missing: the address to send to')
    // The same addresses as in the service, if its variables are set here too.
    setAddressPolicy(readConfig(process.env))
    const types = values.types.split(',').filter((one) => one !== '')
    const input = addWebhook.input.read({ url, types, description })
    const { webhook_id: id, secret } = await change(companyId, addWebhook, input)
    if (json) console.log(JSON.stringify({ webhook_id: id, secret }))
    else console.log(`Webhook ${id}. Secret (shown this once): ${secret}`)
    return 0
  },
}

type Listed = {
  readonly id: number
  readonly url: string
  readonly types: readonly string[] | null
  readonly description: string
  readonly enabled: boolean
  readonly disabled_reason: string | null
  readonly failing_since: string | null
}

const list: Command = {
  words: ['webhook', 'list'],
  usage: 'webhook list --company ID [--json]',
  summary: 'Show the webhooks of a company',
  help: '  --json  print one JSON line for each: everything that is known of it, without its secret',
  run: async (rest) => {
    const { values } = options(rest, { company: { type: 'string' }, json: { type: 'boolean', default: false } })
    const companyId = companyOption(values.company)
    const answer = await withDatabase(({ pool }) =>
      runRead(pool, listWebhooks, {}, systemContext(companyId), undefined),
    )
    const { webhooks } = JSON.parse(responseText(answer)) as { webhooks: readonly Listed[] }
    for (const webhook of webhooks) console.log(values.json ? JSON.stringify(webhook) : lineOf(webhook))
    if (webhooks.length === 0) console.error(`kontor: company ${companyId} has no webhooks, or does not exist`)
    return webhooks.length === 0 ? 1 : 0
  },
}

function lineOf({ id, url, types, description, ...one }: Listed): string {
  const failing = one.failing_since === null ? 'on' : `on, failing since ${one.failing_since}`
  const state = one.enabled ? failing : `off (${one.disabled_reason})`
  const about = description === '' ? '' : ` "${printable(description)}"`
  return `${id}  ${printable(url)}${about}, sends: ${types?.join(', ') ?? 'everything'}, ${state}`
}

const replay: Command = {
  words: ['webhook', 'replay'],
  usage: 'webhook replay --company ID --webhook W --from-seq N | --seq N',
  summary: 'Send events to a webhook again',
  help: `  --webhook W   the number that "webhook list" shows first
  --from-seq N  the event with this number and all later ones, in order
  --seq N       only this event
The messages have the same webhook-id as before. A running server sends them within a few seconds.`,
  run: async (rest) => {
    const { values } = options(rest, {
      company: { type: 'string' },
      webhook: { type: 'string' },
      seq: { type: 'string' },
      'from-seq': { type: 'string' },
    })
    if (values.webhook === undefined) throw new UsageError(missingWebhook)
    const input = replayWebhook.input.read({
      webhook_id: values.webhook,
      seq: values.seq,
      from_seq: values['from-seq'],
    })
    await change(companyOption(values.company), replayWebhook, input)
    console.log(`Webhook ${input.id} gets ${input.seq === undefined ? 'these events' : 'the event'} again.`)
    return 0
  },
}

const remove: Command = {
  words: ['webhook', 'delete'],
  usage: 'webhook delete --company ID --webhook W',
  summary: 'Delete a webhook and its log',
  help: '  --webhook W  the number that "webhook list" shows first',
  run: async (rest) => {
    const { values } = options(rest, { company: { type: 'string' }, webhook: { type: 'string' } })
    if (values.webhook === undefined) throw new UsageError(missingWebhook)
    const input = deleteWebhook.input.read({ webhook_id: values.webhook })
    await change(companyOption(values.company), deleteWebhook, input)
    console.log(`Webhook ${input.id} is deleted.`)
    return 0
  },
}

export const webhook: readonly Command[] = [add, list, replay, remove]
