// Checks of what the database server has and how it is set: settings, clock, disk and connections.

import { statfs } from 'node:fs/promises'
import type pg from 'pg'
import { type Config, connectionsOfProcess } from '../process/config.ts'
import { processMs } from '../process/now.ts'
import { type Finding, type Level, rowOf } from './finding.ts'
import { findClock } from './trusted-clock.ts'

type Setting = {
  readonly name: string
  readonly level: Exclude<Level, 'ok'>
  /** The value that is right. */
  readonly right: string
  readonly why: string
}

const settings: readonly Setting[] = [
  { name: 'server_encoding', level: 'error', right: 'UTF8', why: 'Create the database with encoding UTF8.' },
  { name: 'standard_conforming_strings', level: 'error', right: 'on', why: 'Set it to on.' },
  { name: 'transaction_read_only', level: 'error', right: 'off', why: 'This is a standby, or read-only by a setting.' },
  { name: 'fsync', level: 'warning', right: 'on', why: 'A crash can destroy the database. Set it to on.' },
  { name: 'full_page_writes', level: 'warning', right: 'on', why: 'A crash can destroy pages. Set it to on.' },
  { name: 'default_transaction_isolation', level: 'warning', right: 'read committed', why: 'Reset it.' },
  { name: 'statement_timeout', level: 'warning', right: '0', why: 'It can end a migration. Reset it for this login.' },
  { name: 'lock_timeout', level: 'warning', right: '0', why: 'It can end a migration. Reset it for this login.' },
]

export async function checkSettings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    // Of the timeouts, what the login and the database are set to: the connection of a command may have its own.
    `select n.name, case when n.name like '%\\_timeout' then s.reset_val else current_setting(n.name) end as setting
     from unnest($1::text[]) n (name) join pg_settings s on s.name = n.name`,
    [[...settings.map(({ name }) => name), 'synchronous_commit']],
  )
  const settingOf = (wanted: string): string => rows.find(({ name }) => name === wanted)?.setting ?? ''
  const wrong = settings
    .filter(({ name, right }) => settingOf(name) !== right)
    .map(({ name, level, why }) => ({
      check: 'settings',
      level,
      text: `${name} is ${settingOf(name)}.`,
      advice: why,
    }))
  if (settingOf('synchronous_commit') === 'off')
    wrong.push({
      check: 'settings',
      level: 'warning',
      text: 'synchronous_commit is off.',
      advice: 'A crash can lose writes that were answered with success. Set it to on.',
    })
  return wrong.length > 0
    ? wrong
    : [{ check: 'settings', level: 'ok', text: `the ${settings.length + 1} settings that matter are right` }]
}

/** From here on the clocks of the two machines differ noticeably. */
const clockDifferenceMs = 60_000

export async function checkClock(client: pg.Client): Promise<Finding> {
  const { is_there: isThere } = await rowOf<{ is_there: boolean }>(
    client,
    `select to_regclass('trusted_clock') is not null as is_there`,
  )
  const sentMs = processMs()
  const { now_ms: nowMs, in_doubt: isInDoubt } = isThere
    ? await findClock(client)
    : {
        ...(await rowOf<{ now_ms: number }>(
          client,
          'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
        )),
        in_doubt: false,
      }
  const differenceMs = nowMs - (sentMs + processMs()) / 2
  const time = new Date(nowMs).toISOString()
  if (isInDoubt)
    return {
      check: 'clock',
      level: 'error',
      text: `The clock of the database (${time}) jumped, or the service was stopped for long: it is not trusted.`,
      advice: 'Compare it with the real time, then run "kontor clock confirm".',
    }
  if (Math.abs(differenceMs) > clockDifferenceMs)
    return {
      check: 'clock',
      level: 'warning',
      text: `The clock of this machine differs from that of the database (${time}) by ${Math.round(Math.abs(differenceMs) / 1000)} s.`,
      advice: 'Synchronize both with NTP. The time of the database is used.',
    }
  return { check: 'clock', level: 'ok', text: `the database has ${time}, and so has this machine` }
}

const mebibyte = 1024 * 1024
const leastFreeBytes = { error: 64 * mebibyte, warning: 1024 * mebibyte }
const leastFreeShare = 0.1

export function diskFinding(path: string, freeBytes: number, totalBytes: number): Finding {
  const isShort = freeBytes < leastFreeBytes.warning || freeBytes < totalBytes * leastFreeShare
  const level: Level = freeBytes < leastFreeBytes.error ? 'error' : isShort ? 'warning' : 'ok'
  const percent = Math.floor((freeBytes / totalBytes) * 100)
  const text = `${Math.floor(freeBytes / mebibyte)} MiB (${percent} %) are free in ${path}`
  return level === 'ok'
    ? { check: 'disk', level, text }
    : { check: 'disk', level, text: `${text}.`, advice: 'PostgreSQL stops when its disk is full: free or add space.' }
}

/** Seen only if the database is on this machine. PostgreSQL shows its directory to superusers and members of pg_read_all_settings only. */
export async function checkDisk(client: pg.Client): Promise<Finding> {
  const { size, directory } = await rowOf<{ size: string; directory: string | null }>(
    client,
    `select pg_size_pretty(pg_database_size(current_database())) as size, (select setting from pg_settings where name = 'data_directory') as directory`,
  )
  const isLocal = /^\/|^localhost$|^127\.|^::1$/.test(client.host)
  for (const path of isLocal ? [directory ?? '', '/var/lib/postgresql'] : []) {
    const found = path === '' ? undefined : await statfs(path).catch(() => undefined)
    if (found !== undefined) return diskFinding(path, found.bavail * found.bsize, found.blocks * found.bsize)
  }
  return {
    check: 'disk',
    level: 'warning',
    text: `The database has ${size}. The free space of its disk cannot be seen from here.`,
    advice: 'Check it on the database server, with an alert.',
  }
}

/** The settings that decide how many connections are opened. */
export type ConnectionNeed = Pick<Config, 'WORKERS' | 'DATABASE_CONNECTIONS' | 'DATABASE_STREAMS'>

/** Maintenance, backfills, metrics of the database, and commands of the operator. */
const connectionsBesideRequests = 4

export const neededConnections = (config: ConnectionNeed): number =>
  config.WORKERS * (connectionsOfProcess(config) + config.DATABASE_STREAMS) + connectionsBesideRequests

export async function checkConnections(client: pg.Client, need: ConnectionNeed): Promise<Finding> {
  const { most, login, database, others } = await rowOf<{
    most: number
    login: number
    database: number
    others: number
  }>(
    client,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true), '0')::int as most,
       (select rolconnlimit from pg_roles where rolname = current_user) as login,
       (select datconnlimit from pg_database where datname = current_database()) as database,
       (select count(*)::int from pg_stat_activity where datid is not null and usename <> current_user) as others`,
  )
  return connectionsFinding(neededConnections(need), { most, login, database, others })
}

export type ConnectionLimits = {
  /** Of the server, without those reserved for superusers. */
  readonly most: number
  /** -1 means that there is none. */
  readonly login: number
  readonly database: number
  /** Open connections of other logins. */
  readonly others: number
}

export function connectionsFinding(needed: number, { most, login, database, others }: ConnectionLimits): Finding {
  const limits = [
    ['max_connections, without the reserved ones,', most],
    ['the connection limit of the login', login],
    ['the connection limit of the database', database],
  ] as const
  const short = limits.find(([, limit]) => limit >= 0 && limit < needed)
  const lower = 'or lower DATABASE_CONNECTIONS, DATABASE_STREAMS or WORKERS.'
  if (short !== undefined)
    return {
      check: 'connections',
      level: 'error',
      text: `Kontor opens up to ${needed} connections, and ${short[0]} is ${short[1]}.`,
      advice: `Raise that limit, ${lower}`,
    }
  if (most - others < needed)
    return {
      check: 'connections',
      level: 'warning',
      text: `Kontor opens up to ${needed} connections; other logins have ${others} of ${most} open.`,
      advice: `Raise max_connections, ${lower}`,
    }
  return { check: 'connections', level: 'ok', text: `up to ${needed} are needed, ${most - others} of ${most} are free` }
}
