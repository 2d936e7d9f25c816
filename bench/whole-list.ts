// The list without limit, read by curl and discarded: its duration and size.

import { spawn } from 'node:child_process'
import type { Company } from './load.ts'
import { CpuWatch, type Server } from './processes.ts'

export type WholeSlice = {
  readonly seconds: number
  readonly bytes: number
  readonly serverMicros: number
  readonly postgresMicros: number
  readonly driverMicros: number
  readonly foreign: number
}

export async function wholeList(server: Server, database: string, company: Company): Promise<WholeSlice> {
  const watch = new CpuWatch(database, [server.pid])
  await watch.start()
  const child = spawn(
    'curl',
    [
      ...[
        '--silent',
        '--show-error',
        '--output',
        '/dev/null',
        '--data',
        '{}',
        '--header',
        `Authorization: ${company.key}`,
      ],
      ...['--write-out', '%{http_code} %{size_download} %{time_total}', server.url + server.address('orders/get_list')],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  watch.add(child.pid ?? 0)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  // The list uses a separate connection, opened on first use.
  const look = setTimeout(() => void watch.look(), 300)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  clearTimeout(look)
  const used = watch.stop()
  const [status, bytes, seconds] = output.split(' ').map(Number)
  if (code !== 0 || status !== 200) throw new Error(`the whole list returned ${output} (curl: ${code})`)
  return {
    seconds: seconds ?? Number.NaN,
    bytes: bytes ?? Number.NaN,
    serverMicros: used.of(server.pid),
    postgresMicros: used.postgres,
    driverMicros: used.of(child.pid ?? 0),
    foreign: used.foreign,
  }
}
