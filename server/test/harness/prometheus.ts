// A real Prometheus that scrapes the server under test and evaluates alert rules. It is Debian's package.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../demo/ports.ts'
import { until } from './until.ts'

export type Target = { readonly job: string; readonly address: string }

export class Prometheus {
  readonly #url: string
  readonly #folder: string
  readonly #child: ChildProcess

  private constructor(url: string, folder: string, child: ChildProcess) {
    this.#url = url
    this.#folder = folder
    this.#child = child
  }

  static async start(rules: string, targets: readonly Target[]): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'kontor-prometheus-'))
    const address = `127.0.0.1:${await freePort()}`
    writeFileSync(join(folder, 'rules.yaml'), rules)
    writeFileSync(
      join(folder, 'prometheus.yaml'),
      JSON.stringify({
        global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '500ms' },
        rule_files: ['rules.yaml'],
        scrape_configs: targets.map(({ job, address: target }) => ({
          job_name: job,
          static_configs: [{ targets: [target] }],
        })),
      }),
    )
    const options = [
      `--config.file=${folder}/prometheus.yaml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${address}`,
    ]
    const child = spawn('prometheus', options, { stdio: 'ignore' })
    const prometheus = new Prometheus(`http://${address}`, folder, child)
    await until(() => prometheus.#isReady(), { pollMs: 100, what: () => 'Prometheus did not start' })
    return prometheus
  }

  async #isReady(): Promise<boolean> {
    if (this.#child.exitCode !== null) throw new Error(`Prometheus ended with ${this.#child.exitCode}`)
    return await fetch(`${this.#url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  /** Whether every target was read. */
  async isScraping(): Promise<boolean> {
    const { activeTargets } = await this.#get<{ activeTargets: { health: string }[] }>('targets')
    return activeTargets.length > 0 && activeTargets.every(({ health }) => health === 'up')
  }

  /** The names of the alerts that fire. */
  async firing(): Promise<Set<string>> {
    const data = await this.#get<{ alerts: { state: string; labels: { alertname: string } }[] }>('alerts')
    return new Set(data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname))
  }

  async #get<Data>(path: string): Promise<Data> {
    const response = await fetch(`${this.#url}/api/v1/${path}`)
    return ((await response.json()) as { data: Data }).data
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    if (this.#child.exitCode === null && this.#child.kill('SIGKILL')) await ended
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
