// Where the built screens are.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../process/config.ts'

export const webFolder = (config: Config): string =>
  config.WEB_DIR ?? join(import.meta.dirname, '..', '..', '..', 'web', 'dist')

export const screensAreBuilt = (config: Config): boolean => existsSync(join(webFolder(config), 'index.html'))
