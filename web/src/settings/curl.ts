// A call of the public interface as a line for the terminal. The key comes from the environment: it is never written down.

import { publicPath } from '../methods.ts'

/** Safe in a shell whatever it holds. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const methodAddress = (method: string): string => `${window.location.origin}${publicPath(method)}`

export function curlOf(method: string, body: string): string {
  const parts = [`curl ${quoted(methodAddress(method))}`, '-H "Authorization: $KONTOR_KEY"']
  if (body.trim() === '') return [...parts, '-X POST'].join(' \\\n  ')
  return [...parts, "-H 'Content-Type: application/json'", `-d ${quoted(body)}`].join(' \\\n  ')
}

/** JSON with its indentation, or the text as it is where it is none. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
