// The signed-in user, the company, and the user's permissions. Always loaded for screens inside the frame.

import { createContext, type ReactNode, use } from 'react'
import { allowLeaving } from './kit/leave-guard.tsx'
import { type Output, whenAnotherUser, whenSetUpRequired } from './server/call.ts'
import { queryClient } from './server/query.ts'

export type Session = Output<'session/get'>

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('No session: the screen is outside the frame')
  return session
}

/** Workers see neither prices nor costs; the server omits them from their responses. */
export const useSeesMoney = (): boolean => useSession().user.role !== 'worker'

const rank = { worker: 0, manager: 1, owner: 2 } as const
export const useMay = (least: keyof typeof rank): boolean => rank[useSession().user.role] >= rank[least]

/** The address of the sign-in page, with the way back. */
export const signInAddress = (from: string): string =>
  from === '/' || from.startsWith('/sign-') ? '/sign-in' : `/sign-in?next=${encodeURIComponent(from)}`

/** The address to open after signing in; only paths within the application are accepted. */
export const nextAddress = (next: string | null): string =>
  next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : '/'

export const isSameUser = (one: Session, other: Session): boolean =>
  one.company.id === other.company.id && one.user.id === other.user.id

/** Reloads: the data on this page belongs to the user it was opened for. */
export function reloadForAnother(): void {
  allowLeaving()
  window.location.assign('/')
}
whenAnotherUser(reloadForAnother)
// The session says so, and the frame then shows the page for it.
whenSetUpRequired(() => void queryClient.invalidateQueries({ queryKey: ['session/get'] }))
