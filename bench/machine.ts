// The machine on which the figures were measured.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { withClient } from './postgres.ts'

const settings = [
  'shared_buffers',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'max_wal_size',
  'checkpoint_timeout',
  'wal_compression',
  'autovacuum',
]

const outputOf = (program: string, args: readonly string[]): string => {
  try {
    // Some print their version to stderr.
    return execFileSync(program, [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout ?? '').trim()
  }
}

export async function machine(): Promise<string> {
  const [cpu] = cpus()
  const postgres = await withClient(undefined, async (client) => {
    const { rows } = await client.query(
      `select version() as version, (select string_agg(name || ' ' || current_setting(name), ', ') from unnest($1::text[]) name) as settings`,
      [settings],
    )
    return `${String(rows[0].version).split(' on ')[0]} (${rows[0].settings})`
  })
  const changed =
    outputOf('git', ['status', '--porcelain', '--', '.', ':!bench/results']) === '' ? '' : ', with changes'
  const system = /PRETTY_NAME="(.*)"/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''
  return [
    `- ${cpus().length} × ${cpu?.model ?? 'processor'}, ${Math.round(totalmem() / 1024 ** 3)} GB, ${system}, Linux ${release()}`,
    `- ${postgres}`,
    `- Node ${process.version}, ${outputOf('wrk', ['--version'])
      .split('\n')[0]
      ?.replace(/ Copyright.*/, '')}, ${outputOf('pgbench', ['--version'])}`,
    `- commit ${outputOf('git', ['rev-parse', '--short=12', 'HEAD'])}${changed}`,
    `- load of the machine before the run: ${loadavg()
      .map((value) => value.toFixed(1))
      .join(', ')}`,
  ].join('\n')
}
