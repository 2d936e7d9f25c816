// `kontor demo`: a database, the built screens, a workshop with a history, the service, and how to sign in.

import { serve } from '../server/main.ts'
import { readConfig } from '../server/platform/process/config.ts'
import { openData } from './data.ts'
import { defaultFolder, type Kept } from './kept.ts'
import { choosePort } from './ports.ts'
import { areBuilt, buildScreens } from './screens.ts'
import { askToday } from './today.ts'

export type DemoWish = {
  /** Create it again, even if one exists. */
  readonly fresh: boolean
  /** Days of history. */
  readonly days: number
  readonly folder: string | undefined
  readonly tell: (text: string) => void
}

export type Demo = Kept & { readonly address: string; readonly databaseUrl: string; readonly isNew: boolean }

/** Resolves when the screens work; the process then serves until it receives a signal. */
export async function startDemo({ fresh, days, folder = defaultFolder('kontor-demo'), tell }: DemoWish): Promise<Demo> {
  const port = await choosePort(process.env['HOST'] || '127.0.0.1', process.env['PORT'] || undefined)
  const screens = prepareScreens(tell)
  // Awaited below; a failure before that is not an unhandled rejection.
  screens.catch(() => {})
  const { databaseUrl, company, isNew, isOwn, stop, forgetSignals } = await openData({ fresh, days, folder, tell })
  try {
    await screens
    const config = readConfig({
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATABASE_URL_FILE: '',
      PORT: String(port),
      METRICS_PORT: process.env['METRICS_PORT'] || '0',
      LOG_LEVEL: process.env['LOG_LEVEL'] || 'error',
    })
    await serve(config, { last: stop, isPrivateDatabase: isOwn })
    forgetSignals()
    // Localhost, because browsers accept a secure session cookie there without HTTPS.
    const address = `http://${config.HOST === '127.0.0.1' ? 'localhost' : config.HOST}:${port}`
    if (isNew) await askToday(address, company.apiKey)
    return { ...company, address, databaseUrl, isNew }
  } catch (error) {
    await stop()
    throw error
  }
}

async function prepareScreens(tell: (text: string) => void): Promise<void> {
  if (areBuilt()) return
  tell('Building the screens …')
  await buildScreens()
}
