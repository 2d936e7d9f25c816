// The identity provider of a company: its row, and the address at which users begin to sign in.

import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { inCompany } from '../in-company.ts'
import { unseal } from '../second-factor/sealed-secrets.ts'
import { type SingleSignOnPolicy, singleSignOnPolicy } from './policy.ts'

export type Provider = {
  readonly link_key: string
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: Buffer
}

/** Null: the company has none. */
export type ProviderFacts = Provider | Readonly<Record<keyof Provider, null>>

export const findProvider = statement<ProviderFacts, { company_id: number }>(
  'identity_providers.find',
  `select p.link_key, p.name, p.issuer, p.client_id, p.client_secret
   from company_clock k left join identity_providers p on p.company_id = :company_id where k.company_id = :company_id`,
)
export const providerFrom = (facts: ProviderFacts | undefined): Provider | undefined =>
  facts === undefined || facts.link_key === null ? undefined : facts

/** With the secret as it was entered. */
export type OpenProvider = Omit<Provider, 'client_secret'> & { readonly client_secret: string }

/** Names the company and its provider in the address at which a sign-in begins. */
export type ProviderLink = { readonly companyId: number; readonly key: string }

const wellFormed = /^([1-9]\d{0,15})\.([A-Za-z0-9_-]{22})$/

export const linkText = (companyId: number, key: string): string => `${companyId}.${key}`

export function readLink(text: string): ProviderLink | undefined {
  const [, company, key] = wellFormed.exec(text) ?? []
  const companyId = Number(company)
  return key !== undefined && Number.isSafeInteger(companyId) ? { companyId, key } : undefined
}

export const linkGone = 'The link is not valid any more'

export async function providerOf(pool: Pool, companyId: number): Promise<OpenProvider | undefined> {
  const trip = await inCompany(pool, companyId, findProvider({ company_id: companyId }))
  const provider = providerFrom(trip.rows<ProviderFacts>(1)[0])
  return provider && { ...provider, client_secret: unseal(provider.client_secret).toString('utf8') }
}

export const singleSignOnOff = 'This server has no single sign-on'

export const loadSingleSignOnPolicy = (): SingleSignOnPolicy =>
  singleSignOnPolicy() ?? refuse(singleSignOnOff, { code: 'single_sign_on_off' })
