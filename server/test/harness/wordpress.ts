// A WordPress of its own for the test of the plugin for WooCommerce, with Debian's packages: its files are copied, its database is a MariaDB in a
// temporary folder, PHP serves it.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../demo/ports.ts'
import { root } from '../structure/architecture.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const plugin = join(root, 'clients/woocommerce')
const packaged = '/usr/share/wordpress'
const password = 'a long password of the test'

/** What must be installed: the Debian packages. Null when everything is. */
export const missing = (): string | null =>
  [packaged, '/usr/sbin/mariadbd', '/usr/bin/mariadb-install-db'].every(existsSync)
    ? null
    : 'needs the Debian packages wordpress, mariadb-server-core and php-mysql'

export class WordPress {
  readonly url: string
  readonly folder: string
  readonly #processes: readonly ChildProcess[]

  private constructor(url: string, folder: string, processes: readonly ChildProcess[]) {
    this.url = url
    this.folder = folder
    this.#processes = processes
  }

  /** With the plugin and the stand-in for WooCommerce; `withActionScheduler`: also with the functions of Action Scheduler. */
  static async start(withActionScheduler: boolean): Promise<WordPress> {
    const folder = mkdtempSync(join(tmpdir(), 'kontor-wordpress-'))
    const database = await startDatabase(folder)
    const url = `http://127.0.0.1:${await freePort()}`
    const site = join(folder, 'site')
    cpSync(packaged, site, {
      recursive: true,
      dereference: true,
      filter: (path) => !/\/(wp-content|wp-config.php)$/.test(path),
    })
    const plugins = join(site, 'wp-content/plugins')
    cpSync(plugin, join(plugins, 'kontor-for-woocommerce'), {
      recursive: true,
      filter: (path) => !path.startsWith(join(plugin, 'tests')),
    })
    cpSync(join(plugin, 'tests/woocommerce'), join(plugins, 'woocommerce'), { recursive: true })
    mkdirSync(join(site, 'wp-content/themes'), { recursive: true })
    if (withActionScheduler) writeFileSync(join(site, 'wp-content/with-action-scheduler'), '')
    writeFileSync(join(site, 'wp-config.php'), configuration(join(folder, 'socket')))
    const server = spawn('php', ['-S', url.slice('http://'.length), '-t', site], {
      // Kontor calls the shop while the shop calls Kontor.
      env: { ...process.env, PHP_CLI_SERVER_WORKERS: '3' },
      stdio: 'ignore',
      detached: true,
    })
    const wordpress = new WordPress(url, folder, [server, database])
    try {
      await wordpress.shop('install', { url, password })
      await wordpress.shop('activate')
      await until(() =>
        fetch(`${url}/wp-login.php`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
    } catch (error) {
      await wordpress.stop()
      throw error
    }
    return wordpress
  }

  /** Something happens in the shop: see shop.php. */
  // biome-ignore lint/suspicious/noExplicitAny: every action prints something else
  async shop(what: string, input: object = {}): Promise<any> {
    const program = join(plugin, 'tests/shop.php')
    const { stdout } = await run('php', [
      '-d',
      'display_errors=stderr',
      program,
      join(this.folder, 'site'),
      what,
      JSON.stringify(input),
    ])
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  }

  /** Everything that was logged by WordPress, PHP and the shop. */
  logs(): string {
    const files = ['debug.log', 'wc.log'].map((name) => join(this.folder, 'site/wp-content', name))
    return files
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('')
  }

  async signIn(user: string): Promise<Browser> {
    const form = new URLSearchParams({ log: user, pwd: password, testcookie: '1' })
    const response = await fetch(`${this.url}/wp-login.php`, {
      method: 'POST',
      headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
      body: form,
      redirect: 'manual',
    })
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    return new Browser(this.url, cookies.join('; '))
  }

  async stop(): Promise<void> {
    for (const child of this.#processes) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise((resolve) => child.once('exit', resolve))
      // The workers of the server of PHP are in its process group.
      process.kill(-(child.pid ?? 0), 'SIGKILL')
      await ended
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A user who is signed in. */
export class Browser {
  readonly #url: string
  readonly #cookie: string

  constructor(url: string, cookie: string) {
    this.#url = url
    this.#cookie = cookie
  }

  async get(path: string): Promise<{ status: number; text: string }> {
    const response = await fetch(this.#url + path, { headers: { cookie: this.#cookie } })
    return { status: response.status, text: await response.text() }
  }

  /** Submits a form of an admin page; returns the status and the page that follows. */
  async post(fields: Readonly<Record<string, string>>): Promise<{ status: number; text: string }> {
    const response = await fetch(`${this.#url}/wp-admin/admin-post.php`, {
      method: 'POST',
      headers: { cookie: this.#cookie },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
    const next = response.headers.get('location')
    if (next === null) return { status: response.status, text: await response.text() }
    return { status: response.status, text: (await this.get(next.slice(this.#url.length))).text }
  }
}

async function startDatabase(folder: string): Promise<ChildProcess> {
  const [data, socket] = [join(folder, 'data'), join(folder, 'socket')]
  const common = ['--no-defaults', `--datadir=${data}`, ...(process.getuid?.() === 0 ? ['--user=root'] : [])]
  await run('mariadb-install-db', [...common, '--auth-root-authentication-method=normal', '--skip-test-db'])
  const small = ['--innodb-buffer-pool-size=32M', '--innodb-flush-log-at-trx-commit=0', '--skip-networking']
  const server = spawn('/usr/sbin/mariadbd', [...common, `--socket=${socket}`, `--pid-file=${folder}/pid`, ...small], {
    stdio: 'ignore',
    detached: true,
  })
  const sql = 'create database shop'
  await until(
    () =>
      run('mariadb', ['--no-defaults', `--socket=${socket}`, '-u', 'root', '-e', sql]).then(
        () => true,
        () => false,
      ),
    { pollMs: 200 },
  )
  return server
}

const configuration = (socket: string): string => `<?php
define( 'DB_NAME', 'shop' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:${socket}' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
$table_prefix = 'wp_';
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_LOG', true );
define( 'WP_DEBUG_DISPLAY', false );
// Events are run by the test.
define( 'DISABLE_WP_CRON', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1' );
if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
`
