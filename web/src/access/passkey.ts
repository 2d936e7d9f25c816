// Passkeys in the browser: making one, and signing a challenge with one. The package is loaded when it is needed.

import { messages } from '../messages.ts'
import { call, Refusal } from '../server/call.ts'

const library = () => import('@simplewebauthn/browser')

/** Over plain HTTP browsers have none, except on localhost. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

/** The browser reports the same error when the user cancels and when there is no passkey. */
const refused = (): never => {
  throw new Refusal(0, messages.access.passkey.failed)
}

/** Signs in, or confirms who the user is, with a passkey that the user chooses. */
export async function enterWithPasskey(path: 'session/passkey_sign_in' | 'session/passkey_confirm'): Promise<void> {
  const [{ startAuthentication }, { challenge, rp_id: rpId }] = await Promise.all([
    library(),
    call('session/passkey_challenge', {}),
  ])
  const { id, response } = await startAuthentication({
    optionsJSON: { challenge, rpId, userVerification: 'required' },
  }).catch(refused)
  await call(path, {
    credential: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    user_handle: response.userHandle ?? '',
  })
}

/** Makes a passkey for the signed-in user. Returns what `passkeys/add` takes besides the name. */
export async function makePasskey(): Promise<{ credential: string; client_data: string; attestation: string }> {
  const [{ startRegistration }, begun] = await Promise.all([library(), call('passkeys/begin', {})])
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge: begun.challenge,
      rp: { id: begun.rp_id, name: messages.frame.product },
      user: { id: begun.user_handle, name: begun.user_name, displayName: begun.display_name },
      // Ed25519, ES256 and RS256: one of them is known to every authenticator.
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' as const })),
      excludeCredentials: begun.credentials.map((credential) => ({ id: credential, type: 'public-key' as const })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    },
  }).catch(refused)
  return { credential: id, client_data: response.clientDataJSON, attestation: response.attestationObject }
}
