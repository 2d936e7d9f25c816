#!/usr/bin/env node
// Where `npx kontor` and `npm run kontor` start. Plain JavaScript that an old Node can run too: it says which Node is needed instead of stumbling over
// the first TypeScript file, and it ends when npx is ended.

import { readFileSync } from 'node:fs'
import { isOlder } from './node-version.js'

const { engines } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const [needed = ''] = /\d+\.\d+/.exec(engines.node) ?? []

if (isOlder(process.version, needed)) {
  console.error(
    `kontor: Node ${needed} or later is needed, and this is Node ${process.version}. In a checkout, "npm ci" without --omit=dev installs the right one, and "npx kontor" uses it.`,
  )
  process.exitCode = 1
} else {
  if (process.env.npm_command === 'exec') stopWithParent()
  import('./cli.ts')
}

/** npx runs commands in a shell, and a shell that gets SIGTERM ends without passing it on: the server would go on listening, with no parent. */
function stopWithParent() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}
