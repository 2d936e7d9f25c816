// Single sign-on in the browser: what a sign-in needs when its user comes back from the identity provider, and the provider that was used last.

import { call } from '../server/call.ts'

const pendingKey = 'kontor-single-sign-on'
const lastKey = 'kontor-identity-provider'

/** `link`: the last part of the address at which users of the company begin to sign in. */
type Provider = { readonly link: string; readonly name: string }
type Pending = Provider & { readonly token: string; readonly to: string }

/** Leaves the page. */
export async function goToProvider(link: string, to: string): Promise<void> {
  const { name, url, token } = await call('session/begin_single_sign_on', { link })
  sessionStorage.setItem(pendingKey, JSON.stringify({ link, name, token, to } satisfies Pending))
  location.assign(url)
}

/** Undefined: this tab has not begun to sign in, so it completes nothing. */
export function pendingSignIn(): Pending | undefined {
  const text = sessionStorage.getItem(pendingKey)
  return text === null ? undefined : (JSON.parse(text) as Pending)
}

/** `answer`: what the provider added to the address. */
export async function completeSignIn(
  { token, link, name }: Pending,
  answer: string,
): Promise<{ token?: string | undefined }> {
  sessionStorage.removeItem(pendingKey)
  const signedIn = await call('session/single_sign_on', { token, answer })
  localStorage.setItem(lastKey, JSON.stringify({ link, name } satisfies Provider))
  return signedIn
}

/** Signed in with before, in this browser. */
export function lastProvider(): Provider | undefined {
  try {
    const { link, name } = JSON.parse(localStorage.getItem(lastKey) ?? '') as Provider
    return typeof link === 'string' && typeof name === 'string' ? { link, name } : undefined
  } catch {
    return undefined
  }
}
