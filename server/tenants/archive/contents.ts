// What an archive of a company contains. Tables and columns come from the catalog, so that a new table is part of it without being listed anywhere;
// only what is left out is listed, with the reason.

import type { Column, CompanyTable } from '../company-tables.ts'

/** Tables that are in no archive, and why. What follows from other tables is written again by the import. */
export const leftOut: Readonly<Record<string, string>> = {
  devices: 'a browser is known again after the next sign-in',
  further_sign_ins: 'follows from the emails of the users',
  import_companies: 'follows from the imports',
  mail_companies: 'follows from the mails',
  passkey_challenges: 'last for minutes',
  pending_sign_ins: 'users sign in again',
  pending_single_sign_ons: 'last for minutes',
  pending_sign_ups: 'a company that exists has none',
  sessions: 'users sign in again',
  sign_in_attempts: 'belongs to no company',
  sign_ins: 'follows from the emails of the users',
  test_companies: 'a test company is made anew',
  webhook_companies: 'follows from the webhooks',
  webhook_parked: 'old events are not sent again after an import',
}

/** Tables and columns that are only in an archive with secrets, and what they hold. */
export const secretTables: Readonly<Record<string, string>> = {
  api_keys: 'hashes of keys',
  invitations: 'hashes of links',
  mail_links: 'hashes of links',
  quote_tokens: 'hashes of links',
  authenticators: 'secrets of authenticator apps',
  recovery_codes: 'hashes of recovery codes',
  passkeys: 'public keys of passkeys',
  identity_providers: 'the secret with which the service identifies itself to the provider',
  provider_identities: 'accounts at the provider',
}
export const secretColumns: Readonly<Record<string, string>> = {
  'users.password_hash': 'hashes of passwords',
  'webhook_endpoints.secret': 'signs the messages of webhooks',
  'webhook_endpoints.former_secret': 'signed them before',
  'webhook_endpoints.former_secret_until': 'when that ends',
}

/** What is true of the original only, such as the state of a process that works on a row. It is neither exported nor set by an import. */
export const ownColumns: readonly string[] = [
  'companies.test_of',
  'imports.lease',
  'imports.leased_until',
  'mails.lease',
  'mails.leased_until',
  'webhook_endpoints.lease',
  'webhook_endpoints.leased_until',
]

const logTable = 'request_log'

export type ArchiveOptions = { readonly withSecrets: boolean; readonly withLog: boolean }

/** Tables that others refer to come first, so that the rows can be inserted in this order. */
export const archivedTables = (
  referringFirst: readonly CompanyTable[],
  { withSecrets, withLog }: ArchiveOptions,
): CompanyTable[] =>
  referringFirst
    .toReversed()
    .filter(
      ({ name }) =>
        leftOut[name] === undefined &&
        (withSecrets || secretTables[name] === undefined) &&
        (withLog || name !== logTable),
    )

/** The columns of the rows, without the company: the import adds the company that it imports to. */
export const archivedColumns = (
  { name: table, columns }: CompanyTable,
  { withSecrets }: Pick<ArchiveOptions, 'withSecrets'>,
): Column[] =>
  columns.filter(
    ({ name, isGenerated }) =>
      name !== 'company_id' &&
      !isGenerated &&
      !ownColumns.includes(`${table}.${name}`) &&
      (withSecrets || secretColumns[`${table}.${name}`] === undefined),
  )

/** Rows that refer to each other must be inserted by one statement. */
export const refersToItself = ({ name, references }: CompanyTable): boolean => references.some(({ to }) => to === name)

/** The reason for each table of the catalog that is not in an archive of this kind. */
export const reasonsOf = (
  tables: readonly CompanyTable[],
  { withSecrets, withLog }: ArchiveOptions,
): Record<string, string> =>
  Object.fromEntries(
    tables.flatMap(({ name }) => {
      const secret = withSecrets ? undefined : secretTables[name]
      const reason = leftOut[name] ?? secret ?? (withLog || name !== logTable ? undefined : 'not asked for')
      return reason === undefined ? [] : [[name, reason]]
    }),
  )
