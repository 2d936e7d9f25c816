// The version of this code.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const version: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8'),
).version

/** Whether version `a` is earlier than `b`; both have the form 1.2.3. */
export const isEarlier = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) < 0
