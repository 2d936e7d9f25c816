// Data that ships with the code as compressed text.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** The lines of a gzipped text file. */
export const readLines = (file: URL): string[] => gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
