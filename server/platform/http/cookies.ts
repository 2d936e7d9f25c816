// The cookies of the screens: their names, and how they are read and set. Not available to scripts, other sites or plain HTTP.

import type { Cookies } from '../requests/app-api.ts'

// The others are sessions of the same person in further companies, which the browser can switch to.
const names = { session: 'kontor_session', others: 'kontor_others', device: 'kontor_device' } as const
const daySeconds = 86_400
const ages = { session: 30 * daySeconds, others: 90 * daySeconds, device: 365 * daySeconds } as const

type Name = keyof typeof names

/** Browsers accept secure cookies from localhost too. Cookies are not secure only if the operator configures an http origin. */
export function cookiesOf(publicOrigin: string | undefined): {
  readonly read: (header: string | undefined, name: Name) => string | undefined
  readonly write: (cookies: Cookies) => string[]
} {
  const isPlain = publicOrigin?.startsWith('http:') === true
  // With the prefix, browsers accept the cookie only from exactly this host.
  const cookieName = (name: Name): string => (isPlain ? names[name] : `__Host-${names[name]}`)
  const set = (name: Name, value: string, seconds: number): string =>
    `${cookieName(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isPlain ? '' : '; Secure'}`
  return {
    read: (header, name) => {
      const start = `${cookieName(name)}=`
      return header
        ?.split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(start))
        ?.slice(start.length)
    },
    write: ({ session, others, device }) => [
      ...(session === undefined ? [] : [set('session', session ?? '', session === null ? 0 : ages.session)]),
      ...(others === undefined ? [] : [set('others', others ?? '', others === null ? 0 : ages.others)]),
      ...(device === undefined ? [] : [set('device', device, ages.device)]),
    ],
  }
}
