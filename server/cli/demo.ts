// kontor demo: serves the data of a furniture workshop. The demo is not part of the server: it is loaded only here, when the command is used.

import { type Command, options, UsageError } from './command.ts'

export const demo: Command = {
  words: ['demo'],
  usage: 'demo [--fresh]',
  summary: 'Serve a demo: a furniture workshop with a year of data',
  help: `Needs no database: it starts its own PostgreSQL and keeps its data. When DATABASE_URL is set, it creates its company there.
  --fresh     create the data again, with a history that ends today
  --days N    length of the history; default 365
  --folder F  folder for its data; default: the cache folder of the user
  PORT        in the environment: the port; default 8080, or any free port if that is in use.
              "kontor serve --help" lists the other variables, which work here too
It prints the address, the logins and an API key. Ctrl+C stops it.`,
  run: async (rest) => {
    const { values } = options(rest, {
      fresh: { type: 'boolean', default: false },
      days: { type: 'string', default: '365' },
      folder: { type: 'string' },
    })
    const days = Number(values.days)
    if (!Number.isInteger(days) || days < 1 || days > 1_000) throw new UsageError('--days must be between 1 and 1000')
    const began = performance.now()
    const { startDemo } = await load()
    const shown = await startDemo({
      fresh: values.fresh,
      days,
      folder: values.folder,
      tell: (text) => console.log(text),
    })
    const seconds = Math.round((performance.now() - began) / 1000)
    const rows = [
      ['Open', shown.address],
      ...shown.logins.map(({ email, role }) => [`Sign in as ${role}`, email]),
      ['Password', shown.password],
      ['API key', shown.apiKey],
      ['Database', shown.databaseUrl],
    ]
    console.log(`
Ready after ${seconds} s: ${shown.sales} sales up to ${shown.made}${shown.isNew ? '' : ' (--fresh creates them again)'}.

${rows.map(([name = '', value]) => `  ${name.padEnd(20)}${value}`).join('\n')}

Ctrl+C stops it.`)
    return Number.POSITIVE_INFINITY
  },
}

async function load() {
  try {
    return await import('../../demo/start.ts')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError('the demo is not installed here: run it from a checkout, after "npm ci"')
  }
}
