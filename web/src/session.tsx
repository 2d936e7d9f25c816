// Who is signed in, in which company, and what that person may see. Screens inside the frame can rely on it being known.

import { createContext, type ReactNode, use } from 'react'
import { type Output, whenSignedOut } from './server/call.ts'
import { queryClient } from './server/query.ts'

export type Session = Output<'session/get'>

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('No session here: the screen stands outside the frame')
  return session
}

/** Workers see neither prices nor costs; the server leaves them out of their answers. */
export const useSeesMoney = (): boolean => useSession().user.role !== 'worker'

const rank = { worker: 0, manager: 1, owner: 2 } as const
export const useMay = (least: keyof typeof rank): boolean => rank[useSession().user.role] >= rank[least]

/** The way to sign-in and back again. */
export const signInAddress = (from: string): string =>
  from === '/' || from.startsWith('/sign-') ? '/sign-in' : `/sign-in?next=${encodeURIComponent(from)}`

/** Where to go after signing in; only ever a path of ours. */
export const nextAddress = (next: string | null): string =>
  next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : '/'

/** A session that ended anywhere ends everywhere: the next reading of it leads to sign-in. */
whenSignedOut(() => {
  if (queryClient.getQueryData(['session/get', {}]) !== undefined)
    void queryClient.resetQueries({ queryKey: ['session/get'] })
})
