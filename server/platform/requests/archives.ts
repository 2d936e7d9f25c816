// The archive of a company, which an owner downloads. It is written on a connection for lists: at most one of a company at a time, fairly shared with others, and ended when it is read too
// slowly. The snapshot that it is read from would otherwise keep PostgreSQL from removing dead rows of all companies.

import type { Readable, Writable } from 'node:stream'
import type pg from 'pg'
import type { Database } from '../postgres/database.ts'
import { MeasuredStream } from '../postgres/measured-stream.ts'
import type { AppRequest } from './request.ts'

/** The metric label of requests for archives. */
export const archivePath = 'company/archive'

/** Writes everything that a company has stored, and ends `out`. */
export type WriteArchive = (client: pg.Client, companyId: number, out: Writable) => Promise<void>

export type ArchiveRequest = Pick<AppRequest, 'requestId' | 'isOwn' | 'address' | 'session' | 'agent' | 'signal'> & {
  /** The company of the page with the link: another tab may have switched to another one since. */
  readonly company: string | undefined
}

export type ArchiveFile = { readonly name: string; readonly archive: Readable }

/** Resolves when a connection is free. If the archive cannot be completed, the stream ends with an error. */
export async function openArchive(
  { streams, readers }: Database,
  companyId: number,
  write: WriteArchive,
  signal: AbortSignal,
): Promise<Readable> {
  return await new Promise((resolve, reject) => {
    streams
      .useFor(
        companyId,
        async (connection) => {
          const out = new MeasuredStream()
          readers.add(out)
          resolve(out)
          try {
            await write(connection.client, companyId, out)
          } catch (error) {
            // A COPY may still be running.
            connection.abandon()
            out.destroy(error instanceof Error ? error : new Error(String(error)))
          } finally {
            readers.delete(out)
          }
        },
        { signal },
      )
      .catch(reject)
  })
}
