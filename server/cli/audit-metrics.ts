// The result of "kontor audit" as a file for the textfile collector of Prometheus's node exporter.

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

/** Found before the audit, which may take long, rather than after it. */
export async function checkMetricsFolder(file: string): Promise<void> {
  const folder = dirname(file)
  await access(folder, constants.W_OK).catch(() => {
    throw new UsageError(`--metrics: files cannot be created in ${folder}`)
  })
}

/** Replaces the file in one step, because the collector may read it at any time. */
export async function writeAuditMetrics(file: string, run: AuditRun): Promise<void> {
  const text = await metricsText(run, await readFile(file, 'utf8').catch(() => ''))
  // The collector ignores files that do not end in .prom.
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, text, { mode: 0o644 })
  await rename(temporary, file)
}

/** The time of the last success is taken from the previous file. */
async function metricsText({ startedAt, seconds, violations }: AuditRun, previous: string): Promise<string> {
  const startedAtSeconds = startedAt.getTime() / 1000
  const succeeded = [...violations.values()].every((rows) => rows === 0)
  const succeededBefore = Number(new RegExp(`^${lastSuccess} ([0-9.]+)$`, 'm').exec(previous)?.[1] ?? 0)
  const registry = new Registry()
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  gauge(lastRun, 'When the last audit that reached its end began, as a Unix time.').set(startedAtSeconds)
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
