// The built screens: built when they are missing or older than their sources.

import { spawn } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const web = join(import.meta.dirname, '..', 'web')
const built = join(web, 'dist', 'index.html')

export function areBuilt(): boolean {
  if (!existsSync(built)) return false
  const since = statSync(built).mtimeMs
  return globSync(['src/**/*.{ts,tsx,css,svg}', 'index.html', 'vite.config.ts'], { cwd: web }).every(
    (path) => statSync(join(web, path)).mtimeMs <= since,
  )
}

export async function buildScreens(): Promise<void> {
  const vite = join(dirname(createRequire(join(web, 'vite.config.ts')).resolve('vite/package.json')), 'bin', 'vite.js')
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: web,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error('the screens could not be built: "npm run web:build" shows why')
}
