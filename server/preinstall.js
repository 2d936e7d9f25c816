// Run by "npm ci". npm silently omits packages that do not support its own Node version, among them the one that builds the screens.

import { isOlder } from './node-version.js'

/** npm's own Node. The one that runs this file may be the one that was just installed. */
const version = /\bnode\/v([\d.]+)/.exec(process.env.npm_config_user_agent ?? '')?.[1]

// What @rolldown/binding-* requires: ^20.19.0 || >=22.12.0.
const tooOld =
  version !== undefined && (isOlder(version, '20.19') || (isOlder(version, '22.12') && !version.startsWith('20.')))

if (tooOld) {
  console.error(
    `kontor: npm runs on Node ${version}, with which it does not install everything; install with: npx --yes node@24 "$(command -v npm)" ci`,
  )
  process.exitCode = 1
}
