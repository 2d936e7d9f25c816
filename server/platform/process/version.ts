// The version of this code.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const manifest = join(import.meta.dirname, '..', '..', '..', 'package.json')

export const version: string = JSON.parse(readFileSync(manifest, 'utf8')).version

/** Whether version `a` is earlier than `b`; both have the form 1.2.3. */
export const isEarlier = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) < 0
