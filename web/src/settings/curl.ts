// A request to the public API as a curl command. The key is read from the environment: it is never written out.

import { publicPath } from '../methods.ts'

/** Quoted for a shell, whatever it contains. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const methodAddress = (method: string): string => `${window.location.origin}${publicPath(method)}`

export function curlOf(method: string, body: string): string {
  const parts = [`curl ${quoted(methodAddress(method))}`, '-H "Authorization: $KONTOR_KEY"']
  if (body.trim() === '') return [...parts, '-X POST'].join(' \\\n  ')
  return [...parts, "-H 'Content-Type: application/json'", `-d ${quoted(body)}`].join(' \\\n  ')
}

/** JSON with indentation, or the text itself when it is not JSON. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
