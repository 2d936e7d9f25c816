// What a server reports as its own errors: in its metrics and in its log.

import type { Server } from './app.ts'

/** Responses with 500, errors in the background, and workers that ended. */
export async function errorsCounted({ metricsUrl }: Pick<Server, 'metricsUrl'>): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  const counters = text.matchAll(/^kontor_(?:background_errors|faults|worker_exits)_total(?:\{.*\})? (\d+)$/gm)
  return [...counters].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Lines of the levels error and fatal, and what is no line of the log, such as the stack of an exception that ended the process. */
export const errorsLogged = ({ output }: Pick<Server, 'output'>): string[] =>
  output()
    .split('\n')
    .filter((line) => line !== '' && !/^\{"level":[1-4]0,/.test(line))

/** Why requests were answered as busy, as far as it was logged. */
export const busyLogged = ({ output }: Pick<Server, 'output'>): string[] =>
  output()
    .split('\n')
    .filter((line) => line.endsWith('"msg":"busy"}'))
    .map((line) => JSON.parse(line).err.message)
