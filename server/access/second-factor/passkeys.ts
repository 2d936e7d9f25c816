// Passkeys: what a browser sends when one is made or used, and whether it is right. Everything that is wrong with it is refused alike.

import { z } from 'zod'
import { required, textRefusals, textValue } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { now } from '../../platform/process/now.ts'
import { inCompany } from '../in-company.ts'
import { takeChallenge } from './passkey-challenges.ts'
import { type PasskeyPolicy, passkeyPolicy } from './passkey-policy.ts'
import type { CompanyUser } from './store.ts'

/** The package is loaded with the first passkey: it brings others that read certificates. */
const library = () => import('@simplewebauthn/server')

export const passkeysOff = 'This server has no passkeys'
export const wrongPasskey = 'Passkey is wrong'
export const refusePasskey = (): never => refuse(wrongPasskey, { code: 'wrong_passkey' })

export const loadPasskeyPolicy = (): PasskeyPolicy => passkeyPolicy() ?? refuse(passkeysOff, { code: 'passkeys_off' })

const texts = { credential: 1_400, client_data: 4_096, authenticator_data: 4_096, signature: 2_048, user_handle: 100 }
const longestAttestation = 16_384

const base64url = /^[A-Za-z0-9_-]+$/

function readBytes(raw: Raw, field: string, max: number): string {
  const text = textValue(required(raw, field), field, { max })
  return base64url.test(text) ? text : refusePasskey()
}

const bytesSchema = (about: string) => z.string().describe(`${about}, as base64url.`)

export const assertionSchema = {
  credential: bytesSchema('The id of the credential'),
  client_data: bytesSchema('The client data'),
  authenticator_data: bytesSchema('The authenticator data'),
  signature: bytesSchema('The signature'),
  user_handle: bytesSchema('The user handle'),
}
export type Assertion = Readonly<Record<keyof typeof assertionSchema, string>>
export const assertionExample: Assertion = {
  credential: 'pT3xG…',
  client_data: 'eyJ0eXBl…',
  authenticator_data: 'SZYN5Y…',
  signature: 'MEUCIQ…',
  user_handle: 'MTAyOTM4NDc1Ni4x',
}
export const assertionRefusals: readonly string[] = [
  ...Object.keys(assertionSchema).map((field) => `No ${field} in input`),
  wrongPasskey,
  passkeysOff,
  ...textRefusals,
]

export const readAssertion = (raw: Raw): Assertion => ({
  credential: readBytes(raw, 'credential', texts.credential),
  client_data: readBytes(raw, 'client_data', texts.client_data),
  authenticator_data: readBytes(raw, 'authenticator_data', texts.authenticator_data),
  signature: readBytes(raw, 'signature', texts.signature),
  user_handle: readBytes(raw, 'user_handle', texts.user_handle),
})

export const attestationSchema = {
  credential: assertionSchema.credential,
  client_data: assertionSchema.client_data,
  attestation: bytesSchema('The attestation object'),
}
export type Attestation = Readonly<Record<keyof typeof attestationSchema, string>>
export const attestationRefusals: readonly string[] = [
  ...Object.keys(attestationSchema).map((field) => `No ${field} in input`),
  wrongPasskey,
  passkeysOff,
]
export const readAttestation = (raw: Raw): Attestation => ({
  credential: readBytes(raw, 'credential', texts.credential),
  client_data: readBytes(raw, 'client_data', texts.client_data),
  attestation: readBytes(raw, 'attestation', longestAttestation),
})

/** The user handle of a passkey names its user. It is no secret, and says nothing about the person. */
export const userHandleOf = ({ companyId, userId }: CompanyUser): string =>
  Buffer.from(`${companyId}.${userId}`).toString('base64url')

function userOfHandle(handle: string): CompanyUser {
  const [, companyId, userId] =
    /^([1-9]\d{0,15})\.([1-9]\d{0,15})$/.exec(Buffer.from(handle, 'base64url').toString()) ?? refusePasskey()
  const user = { companyId: Number(companyId), userId: Number(userId) }
  return Number.isSafeInteger(user.companyId) && Number.isSafeInteger(user.userId) ? user : refusePasskey()
}

/** The challenge that was signed. A page in a frame of another site is refused. */
function challengeOf(clientData: string): string {
  let data: unknown
  try {
    data = JSON.parse(Buffer.from(clientData, 'base64url').toString())
  } catch {
    return refusePasskey()
  }
  const { challenge, crossOrigin } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  return typeof challenge === 'string' && crossOrigin !== true ? challenge : refusePasskey()
}

export type NewPasskey = { readonly credentialId: Buffer; readonly publicKey: Buffer; readonly counter: number }

/** The passkey that a browser has made for this user, if everything about it is right. */
export async function verifyAttestation(pool: Pool, user: CompanyUser, given: Attestation): Promise<NewPasskey> {
  const { origin, rpId } = loadPasskeyPolicy()
  const challenge = challengeOf(given.client_data)
  if (!(await takeChallenge(pool, challenge, user))) return refusePasskey()
  const { verifyRegistrationResponse } = await library()
  const result = await verifyRegistrationResponse({
    response: {
      id: given.credential,
      rawId: given.credential,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: given.client_data, attestationObject: given.attestation },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch(refusePasskey)
  if (!result.verified) return refusePasskey()
  const { id, publicKey, counter } = result.registrationInfo.credential
  return { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter }
}

type Stored = { readonly public_key: Buffer; readonly counter: number }
type CredentialValues = { readonly company_id: number; readonly user_id: number; readonly credential_id: Buffer }
const find = statement<Stored, CredentialValues & { rp_id: string }>(
  'passkeys.find',
  `select p.public_key, p.counter::float8 as counter from passkeys p join users u on u.company_id = :company_id and u.id = p.user_id and u.deleted_at is null
   where p.company_id = :company_id and p.credential_id = :credential_id and p.user_id = :user_id and p.rp_id = :rp_id`,
)
// A copied authenticator repeats a count: of two uses of one count, only the first succeeds.
const use = statement<{ user_id: number }, CredentialValues & { counter: number; now: string }>(
  'passkeys.use',
  `update passkeys set counter = :counter::bigint, last_used_at = :now
   where company_id = :company_id and credential_id = :credential_id and user_id = :user_id and (counter < :counter::bigint or (counter = 0 and :counter::bigint = 0))
   returning user_id`,
)

/** The user whose passkey has signed a challenge. Refused if anything about it is wrong. */
export async function verifyAssertion(pool: Pool, given: Assertion): Promise<CompanyUser> {
  const { origin, rpId } = loadPasskeyPolicy()
  const user = userOfHandle(given.user_handle)
  const challenge = challengeOf(given.client_data)
  if (!(await takeChallenge(pool, challenge))) return refusePasskey()
  const credentialId = Buffer.from(given.credential, 'base64url')
  const values = { company_id: user.companyId, user_id: user.userId, credential_id: credentialId }
  const found = await inCompany(pool, user.companyId, find({ ...values, rp_id: rpId }))
  const stored = found.rows<Stored>(1)[0] ?? refusePasskey()
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response: {
      id: given.credential,
      rawId: given.credential,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: given.client_data,
        authenticatorData: given.authenticator_data,
        signature: given.signature,
        userHandle: given.user_handle,
      },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: { id: given.credential, publicKey: new Uint8Array(stored.public_key), counter: stored.counter },
  }).catch(refusePasskey)
  if (!result.verified) return refusePasskey()
  const counter = result.authenticationInfo.newCounter
  const used = await inCompany(pool, user.companyId, use({ ...values, counter, now: now() }))
  return used.rows(1).length === 1 ? user : refusePasskey()
}
