// What the methods of webhooks share: the fields of an endpoint and how they are read, its facts, and where its company is known to have webhooks.

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { RequestContext } from '../../kernel/clock.ts'
import { array, flag, id, required, text, textRefusals, textValue, tooMany } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { AddressPolicy, type UrlProblem } from '../../platform/http/public-address.ts'
import type { Config } from '../../platform/process/config.ts'
import { feedTypes } from '../events/records.ts'

export const maxWebhooks = 20
export const secretOverlapHours = 24
export const maxUrl = 2_048

let policy = new AddressPolicy()

/** Called once, when the process starts: which addresses are allowed is part of the configuration. */
export function setAddressPolicy({
  WEBHOOK_ALLOW_NETWORKS: networks,
  WEBHOOK_ALLOW_HTTP: http,
}: Pick<Config, 'WEBHOOK_ALLOW_NETWORKS' | 'WEBHOOK_ALLOW_HTTP'>): AddressPolicy {
  policy = new AddressPolicy(networks, http === 'true')
  return policy
}

/** `whsec_` and 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const webhookIdSchema = z.union([z.int(), z.string()]).describe('Id of the webhook.')
export const readWebhookId = (raw: Raw): number => id(required(raw, 'webhook_id'))
/** The input of a method that needs nothing else. */
export const webhookIdInput = {
  schema: z.object({ webhook_id: webhookIdSchema }),
  read: (raw: Raw) => ({ id: readWebhookId(raw) }),
}
export const noSuch = 'Webhook not found'
export const isOff = 'The webhook is turned off'

const invalidUrl: Readonly<Record<UrlProblem, string>> = {
  malformed: 'Invalid url value. Must be an https address without a user name',
  port: 'Invalid url value. The port must be 443 or 8443',
  address: 'Invalid url value. The address must be public',
}
const invalidType = 'Invalid types value. Must be types of events, such as order.created'

/** What is wrong with an address to which this server is to send requests. */
export const urlProblem = (url: string): UrlProblem | undefined => policy.problemOf(url)

const checkedUrl = (value: unknown): string => {
  const url = textValue(value, 'url', { max: maxUrl, trim: true })
  const problem = urlProblem(url)
  return problem === undefined ? url : refuse(invalidUrl[problem], { code: 'malformed', field: 'url' })
}

export const readUrl = (raw: Raw): string => checkedUrl(required(raw, 'url'))

/** The fields of an endpoint that a user sets, as columns. */
export type Webhook = {
  readonly url: string
  readonly types: readonly string[] | null
  readonly description: string
  readonly enabled: boolean
}

/** Fields that were passed; an empty list of types means all. */
export function readOptions(raw: Raw): Partial<Omit<Webhook, 'url'>> {
  const types = array(raw, 'types', feedTypes.length)?.map((one) =>
    feedTypes.includes(String(one)) ? String(one) : refuse(invalidType, { code: 'not_a_choice', field: 'types' }),
  )
  const description = text(raw, 'description', { max: 255, trim: true })
  const enabled = flag(raw, 'enabled')
  return {
    ...(types === undefined ? {} : { types: types.length === 0 ? null : [...new Set(types)] }),
    ...(description === undefined ? {} : { description }),
    ...(enabled === undefined ? {} : { enabled }),
  }
}

export const optionSchema = {
  types: z
    .array(z.string())
    .max(feedTypes.length)
    .optional()
    .describe('Types of events to send, such as order.created; empty: all.'),
  description: z.string().optional().describe('What it is for, at most 255 characters.'),
  enabled: z
    .union([z.literal(0), z.literal(1), z.boolean()])
    .optional()
    .describe('0: nothing is sent. Turned on again, it continues with the event at which it stopped.'),
}
export const optionRefusals: readonly string[] = [
  ...Object.values(invalidUrl),
  'Types is not an array',
  tooMany('types', feedTypes.length),
  invalidType,
  'Invalid enabled value. Must be one of: 0, 1',
  ...textRefusals,
]

export type WebhookFacts = {
  readonly webhook: (Webhook & { readonly position: number }) | null
  /** All endpoints of the company. */
  readonly webhooks: number
  /** Other endpoints that are turned on. */
  readonly others_enabled: number
}

export const webhookFacts = statement<WebhookFacts, { company_id: number; webhook_id: number }>(
  'webhooks.facts',
  `select (
     select json_build_object('url', w.url, 'types', w.types, 'description', w.description, 'enabled', w.enabled, 'position', w.position)
     from webhook_endpoints w where w.company_id = :company_id and w.id = :webhook_id) as webhook,
     (select count(*) from webhook_endpoints w where w.company_id = :company_id) as webhooks,
     (select count(*) from webhook_endpoints w where w.company_id = :company_id and w.id <> :webhook_id and w.enabled) as others_enabled`,
)

export const factsOf = ({ id }: { readonly id: number }, { companyId }: RequestContext): Statement<WebhookFacts> =>
  webhookFacts({ company_id: companyId, webhook_id: id })

export const loadWebhook = ({ webhook }: WebhookFacts): NonNullable<WebhookFacts['webhook']> =>
  webhook ?? refuse(noSuch, { code: 'record_not_found' })

const setHasWebhooks = statement<never, { company_id: number; has_webhooks: boolean }>(
  'webhooks.set_has',
  'update company_clock set has_webhooks = :has_webhooks where company_id = :company_id and has_webhooks <> :has_webhooks',
)
const insertCompany = statement<never, { company_id: number }>(
  'webhooks.insert_company',
  'insert into webhook_companies (company_id) values (:company_id) on conflict do nothing',
)
const deleteCompany = statement<never, { company_id: number }>(
  'webhooks.delete_company',
  'delete from webhook_companies where company_id = :company_id',
)

/** Records whether the company has endpoints, and whether one of them is turned on. */
export const hasWebhooks = (
  companyId: number,
  has: { readonly any: boolean; readonly enabled: boolean },
): Statement[] => [
  setHasWebhooks({ company_id: companyId, has_webhooks: has.enabled }),
  has.any ? insertCompany({ company_id: companyId }) : deleteCompany({ company_id: companyId }),
]
