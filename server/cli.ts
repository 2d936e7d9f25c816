#!/usr/bin/env node
// Where the `kontor` command starts. Node keeps what it made of our TypeScript, so that the next start neither strips types again nor holds the
// stripper in memory: a third of the time and 30 MB less.

import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./cli/kontor.ts')
