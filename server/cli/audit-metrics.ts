// The result of "kontor audit" for Prometheus: a file for the textfile collector of the node exporter, or a request to a Pushgateway.

import { constants } from 'node:fs'
import { access, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Gauge, Registry } from 'prom-client'
import { UsageError } from './command.ts'

export type AuditRun = {
  readonly startedAt: Date
  readonly seconds: number
  /** The broken rows of every invariant, also of those that hold. */
  readonly violations: ReadonlyMap<string, number>
}

const lastRun = 'kontor_audit_last_run_timestamp_seconds'
const lastSuccess = 'kontor_audit_last_success_timestamp_seconds'

const isAddress = (target: string): boolean => /^https?:\/\//.test(target)

/** Found before the audit, which may take long, rather than after it. */
export async function checkMetricsTarget(target: string): Promise<void> {
  if (isAddress(target)) {
    if (URL.parse(target)?.pathname.startsWith('/metrics/job/') === true) return
    throw new UsageError(
      '--metrics: the address of a Pushgateway contains the job, as in http://pushgateway:9091/metrics/job/kontor_audit',
    )
  }
  const folder = dirname(target)
  await access(folder, constants.W_OK).catch(() => {
    throw new UsageError(`--metrics: files cannot be created in ${folder}`)
  })
}

export async function writeAuditMetrics(target: string, run: AuditRun): Promise<void> {
  if (isAddress(target)) await push(target, run)
  else await writeMetricsFile(target, run)
}

const pushMs = 30_000

/** POST replaces the metrics that are sent, and keeps the others: the time of the last success is sent only after a success. */
async function push(address: string, run: AuditRun): Promise<void> {
  const body = await metricsText(run, undefined)
  const headers = { 'content-type': 'text/plain; version=0.0.4' }
  const response = await fetch(address, { method: 'POST', headers, body, signal: AbortSignal.timeout(pushMs) })
  const answer = (await response.text()).slice(0, 500).trim()
  if (!response.ok) throw new Error(`the Pushgateway answered the metrics with ${response.status} ${answer}`.trim())
}

/** Replaces the file in one step, because the collector may read it at any time. */
async function writeMetricsFile(file: string, run: AuditRun): Promise<void> {
  const text = await metricsText(run, await readFile(file, 'utf8').catch(() => ''))
  // The collector ignores files that do not end in .prom.
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, text, { mode: 0o644 })
  await rename(temporary, file)
}

/** After a failure, the time of the last success is taken from the previous file; without one it is left out. */
async function metricsText(
  { startedAt, seconds, violations }: AuditRun,
  previous: string | undefined,
): Promise<string> {
  const startedAtSeconds = startedAt.getTime() / 1000
  const succeeded = [...violations.values()].every((rows) => rows === 0)
  const succeededBefore = Number(new RegExp(`^${lastSuccess} ([0-9.]+)$`, 'm').exec(previous ?? '')?.[1] ?? 0)
  const registry = new Registry()
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  gauge(lastRun, 'When the last audit that reached its end began, as a Unix time.').set(startedAtSeconds)
  if (succeeded || previous !== undefined)
    gauge(lastSuccess, 'When the last audit began that found every invariant intact; 0 if there was none.').set(
      succeeded ? startedAtSeconds : succeededBefore,
    )
  gauge('kontor_audit_duration_seconds', 'How long the last audit took.').set(seconds)
  const broken = new Gauge({
    name: 'kontor_audit_violations',
    help: 'Broken rows that the last audit found, by invariant; at most 100 for each company.',
    labelNames: ['invariant'] as const,
    registers: [registry],
  })
  for (const [invariant, rows] of violations) broken.set({ invariant }, rows)
  return await registry.metrics()
}
