// Papers as PDF: what declares them, and the request for one. They are composed in a thread (paper-thread.ts).

import type { RequestContext } from '../../kernel/clock.ts'
import type { Raw } from '../../kernel/json.ts'
import type { Role } from '../../kernel/method.ts'
import type { Statement } from '../../kernel/statement.ts'
import type { AppRequest } from './request.ts'
import type { Secret } from './secrets.ts'

/** The metric label of requests for papers. */
export const paperPath = 'documents/pdf'

export type PaperRequest = Pick<AppRequest, 'requestId' | 'isOwn' | 'address' | 'session' | 'signal'> & {
  /** The name of the paper in the address, and its parameters. */
  readonly kind: string
  readonly parameters: Raw
  /** The company of the page with the link: another tab may have switched to another one since. */
  readonly company: string | undefined
}

export type PrintedFile = { readonly name: string; readonly content: Uint8Array }

/** What is sent to the thread: everything in it can be copied. */
export type PrintJob = object

export type DeclaredPaper = {
  /** The lowest role that may print it. */
  readonly role: Role
  /** Checks the parameters, or refuses. */
  readonly read: (
    parameters: Raw,
    companyId: RequestContext['companyId'],
  ) => {
    /** No row: there is no such document. */
    readonly statement: Statement
    readonly job: (row: unknown) => PrintJob
  }
}

/** The paper behind a link, for those who have no account. No row: the link does not work. */
export type FindSharedPaper = (link: Secret) => ReturnType<DeclaredPaper['read']>
export type SharedPaperRequest = Pick<AppRequest, 'requestId' | 'isOwn' | 'address' | 'signal'> & {
  readonly token: string
}

export type FindPaper = (kind: string) => DeclaredPaper | undefined

/** Composes papers and writes them as PDF. */
export type Printer = {
  /** Not printed if the signal is aborted before its turn. */
  readonly print: (companyId: number, job: PrintJob, signal?: AbortSignal) => Promise<PrintedFile>
}
