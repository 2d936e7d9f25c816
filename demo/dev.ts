// `npm run dev`: everything for development at one address. Vite serves the screens with hot reload and passes API calls on to a server that
// restarts when its files change. The data are those of the demo, created once.

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type DemoData, openData } from './data.ts'
import { defaultFolder } from './kept.ts'
import { choosePort, freePort } from './ports.ts'
import { RestartingProcess } from './restarting-process.ts'

const root = join(import.meta.dirname, '..')
const usage = `Usage: npm run dev -- [options]
  --fresh     create the data again
  --days N    how many days of history the data have; default 90
  --folder F  where the data are kept; default: the cache folder of the user
  --inspect   open the inspector of the server at 127.0.0.1:9229
  PORT        in the environment: the port; default 8080, or any free port when that is taken
  DATABASE_URL in the environment: a database to use instead of an own PostgreSQL`

const tell = (text: string): void => void process.stdout.write(`${text}\n`)

const { values } = parseArgs({
  options: {
    fresh: { type: 'boolean', default: false },
    days: { type: 'string', default: '90' },
    folder: { type: 'string' },
    inspect: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) tell(usage)
else await develop()

async function develop(): Promise<void> {
  const began = performance.now()
  const port = await choosePort('127.0.0.1', process.env['PORT'] || undefined)
  const data = await openData({
    fresh: values.fresh,
    days: Number(values.days),
    folder: values.folder ?? defaultFolder('kontor-dev'),
    tell,
  })
  const serverPort = await freePort()
  const server = startServer(data.databaseUrl, serverPort)
  const vite = startVite(port, `http://127.0.0.1:${serverPort}`)
  let isStopping = false
  const stop = async (code: number): Promise<void> => {
    if (isStopping) return
    isStopping = true
    vite.child.kill('SIGTERM')
    await Promise.all([server.stop(), vite.ended])
    await data.stop()
    process.exit(code)
  }
  process.on('SIGINT', () => void stop(0))
  process.on('SIGTERM', () => void stop(0))
  data.forgetSignals()
  void vite.ended.then(() => stop(1))
  const address = `http://localhost:${port}`
  while (!isStopping && !(await isReady(`http://127.0.0.1:${port}`))) await sleep(100)
  if (!isStopping) tell(summary(data, address, performance.now() - began))
}

function startServer(databaseUrl: string, port: number): RestartingProcess {
  const inspect = values.inspect ? ['--inspect'] : []
  return new RestartingProcess({
    command: process.execPath,
    args: [...inspect, 'server/cli.ts', 'serve'],
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl, DATABASE_URL_FILE: '', PORT: String(port), METRICS_PORT: '0' },
    folders: ['server', 'migrations'],
    isSource: (path) =>
      /\.(?:ts|js|sql)$/.test(path) && !/\.test\.ts$|^server\/test(?:ing)?\/|^migrations\/schema\.sql$/.test(path),
    tell,
  })
}

/** Vite ends by itself when its standard input does, so it does not outlive this process. */
function startVite(port: number, serverUrl: string) {
  const web = join(root, 'web')
  const vite = join(dirname(createRequire(join(web, 'vite.config.ts')).resolve('vite/package.json')), 'bin', 'vite.js')
  const args = [vite, '--host', '127.0.0.1', '--port', String(port), '--strictPort', '--logLevel', 'warn']
  const child = spawn(process.execPath, args, {
    cwd: web,
    env: { ...process.env, KONTOR_URL: serverUrl },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  return { child, ended }
}

/** Vite serves the page, and the server behind it responds. */
async function isReady(address: string): Promise<boolean> {
  try {
    const [page, server] = await Promise.all([fetch(address), fetch(`${address}/readyz`)])
    await Promise.all([page.arrayBuffer(), server.arrayBuffer()])
    return page.ok && server.ok
  } catch {
    return false
  }
}

function summary({ company, databaseUrl }: DemoData, address: string, ms: number): string {
  const rows = [
    ['Open', address],
    ...company.logins.map(({ email, role }) => [`Sign in as ${role}`, email]),
    ['Password', company.password],
    ['API key', company.apiKey],
    ['Database', databaseUrl],
  ]
  return `
Ready after ${Math.round(ms / 1000)} s. The server restarts and the screens reload when you change a file.

${rows.map(([name = '', value]) => `  ${name.padEnd(20)}${value}`).join('\n')}

Ctrl+C stops it.`
}
