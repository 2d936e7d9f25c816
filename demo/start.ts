// The demo from nothing to a working screen: a database, the built screens, a workshop with a past, the service, and how to get in.

import { createServer } from 'node:net'
import { serve } from '../server/main.ts'
import { readConfig } from '../server/platform/config.ts'
import { migrate } from '../server/platform/migrate.ts'
import { isThere, makeCompany } from './company.ts'
import { defaultFolder, type Kept, keep, keptFile, readKept } from './kept.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { areBuilt, buildScreens } from './screens.ts'
import { askToday } from './today.ts'

export type DemoWish = {
  /** Make it anew, whatever is kept. */
  readonly fresh: boolean
  /** How long the workshop has been there. */
  readonly days: number
  readonly folder: string | undefined
  readonly tell: (text: string) => void
}

export type Demo = Kept & { readonly address: string; readonly databaseUrl: string; readonly isNew: boolean }

/** Answers when the screens work; the process then serves until a signal ends it. */
export async function startDemo({ fresh, days, folder = defaultFolder(), tell }: DemoWish): Promise<Demo> {
  const given = process.env['DATABASE_URL'] || undefined
  const port = await choosePort(process.env['HOST'] || '127.0.0.1', process.env['PORT'] || undefined)
  const postgres = given === undefined ? await ownPostgres(folder, fresh, tell) : undefined
  const databaseUrl = given ?? postgres?.url ?? ''
  const stop = async (): Promise<void> => await postgres?.stop()
  const forgetSignals = stopOnSignal(stop)
  try {
    const screens = areBuilt() ? Promise.resolve() : told(tell, 'Building the screens …', buildScreens())
    // Awaited below; until then a failure is nobody's.
    screens.catch(() => {})
    await migrate(databaseUrl)
    const file = keptFile(folder, given)
    const kept = fresh ? undefined : readKept(file)
    const isNew = kept === undefined || !(await isThere(databaseUrl, kept))
    const company = isNew ? await make(databaseUrl, days, tell) : kept
    // Written when it is whole: what was cut short is made anew.
    if (isNew) keep(folder, file, company)
    await screens
    const config = readConfig({
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      METRICS_PORT: process.env['METRICS_PORT'] || '0',
      LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn',
    })
    await serve(config, stop)
    forgetSignals()
    // Localhost, because browsers keep a secure session there without HTTPS.
    const address = `http://${config.HOST === '127.0.0.1' ? 'localhost' : config.HOST}:${port}`
    if (isNew) await askToday(address, company.apiKey)
    return { ...company, address, databaseUrl, isNew }
  } catch (error) {
    await stop()
    throw error
  }
}

async function ownPostgres(folder: string, fresh: boolean, tell: (text: string) => void): Promise<Postgres> {
  const hasCompany = readKept(keptFile(folder, undefined)) !== undefined
  return await told(tell, 'Starting PostgreSQL …', startPostgres(folder, fresh || !hasCompany))
}

async function make(databaseUrl: string, days: number, tell: (text: string) => void): Promise<Kept> {
  let last = 0
  return await makeCompany(databaseUrl, days, (share) => {
    const tenth = Math.floor(share * 10)
    if (tenth > last) tell(`Making the data … ${tenth * 10} %`)
    last = tenth
  })
}

async function told<T>(tell: (text: string) => void, text: string, work: Promise<T>): Promise<T> {
  tell(text)
  return await work
}

/** Until the service takes over: a database that was started is not left behind. */
function stopOnSignal(stop: () => Promise<void>): () => void {
  const end = (): void => void stop().finally(() => process.exit(130))
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  return () => {
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
  }
}

const usual = 8080

/** The port that was asked for, and only that; else the usual one, or any when that is taken. Known before the long work begins. */
async function choosePort(host: string, asked: string | undefined): Promise<number> {
  const free = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const server = createServer()
      server.once('error', reject)
      server.listen(port, host, () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
      })
    })
  return asked === undefined ? await free(usual).catch(() => free(0)) : await free(Number(asked))
}
