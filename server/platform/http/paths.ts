// The paths of the methods: the only file that contains "/v1/" and ".php". It imports nothing, so that a file that only builds an address does not
// load the HTTP server.

export const versionPrefix = '/v1/'
export const screensPrefix = '/screens/'
const suffix = '.php'

/** The URL path of a method. The suffix belongs to it, although requests without it are accepted. */
export const methodPath = (path: string): string => `${versionPrefix}${path}${suffix}`

/** `orders/add` of `/v1/orders/add.php?…`. */
export function methodNamed(url: string): string {
  const path = url.split('?', 1)[0]?.slice(versionPrefix.length) ?? ''
  return path.endsWith(suffix) ? path.slice(0, -suffix.length) : path
}
