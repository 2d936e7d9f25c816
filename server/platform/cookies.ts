// The cookies of the screens: what they are called, how they are read and set. Kept from scripts, from other sites, and from plain HTTP.

import type { Cookies } from './screens.ts'

const names = { session: 'kontor_session', device: 'kontor_device' } as const
const daySeconds = 86_400
const ages = { session: 30 * daySeconds, device: 365 * daySeconds } as const

type Name = keyof typeof names

/** Browsers take secure cookies from localhost too. Only an operator who names a plain origin goes without. */
export function cookiesOf(publicOrigin: string | undefined): {
  readonly read: (header: string | undefined, name: Name) => string | undefined
  readonly write: (cookies: Cookies) => string[]
} {
  const isPlain = publicOrigin?.startsWith('http:') === true
  // The prefix makes browsers refuse the cookie from anywhere but this very host.
  const called = (name: Name): string => (isPlain ? names[name] : `__Host-${names[name]}`)
  const set = (name: Name, value: string, seconds: number): string =>
    `${called(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isPlain ? '' : '; Secure'}`
  return {
    read: (header, name) => {
      const start = `${called(name)}=`
      return header
        ?.split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(start))
        ?.slice(start.length)
    },
    write: ({ session, device }) => [
      ...(session === undefined ? [] : [set('session', session ?? '', session === null ? 0 : ages.session)]),
      ...(device === undefined ? [] : [set('device', device, ages.device)]),
    ],
  }
}
