// Starts the real identity provider in a process of its own.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../demo/ports.ts'
import { until } from './until.ts'

const program = fileURLToPath(new URL('./openid-provider.ts', import.meta.url))

export type RealProvider = {
  /** As an owner enters them. */
  readonly settings: {
    readonly name: string
    readonly issuer: string
    readonly client_id: string
    readonly client_secret: string
  }
  readonly stop: () => void
}

/** `origin`: of the service to which it sends users back. */
export async function startProvider(origin: string): Promise<RealProvider> {
  const port = await freePort()
  const env = { ...process.env, OPENID_PORT: String(port), OPENID_RETURN: `${origin}/sign-in/return` }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await until(() => output.includes('listening'), { pollMs: 50 })
  const registered = { client_id: 'kontor', client_secret: 'a secret of the provider' }
  return {
    settings: { name: 'Oak ID', issuer: `http://127.0.0.1:${port}`, ...registered },
    stop: () => child.kill(),
  }
}
