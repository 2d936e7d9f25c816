// Which level a test file belongs to, read from its name. A name without a part belongs to the gate, `npm run check`. A name that contains a
// part, as in long-list.timed.test.ts, belongs to that part of `npm run check:all`. A generated test is run by both: by the gate on a sample of its cases, by its part on all of them.

import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { root } from '../structure/architecture.ts'

type Settings = {
  /** How many test files run at the same time. */
  readonly concurrency: number
  /** After this time the part is ended. */
  readonly limitSeconds: number
  /** After this time a test is ended; `defaultTestLimitSeconds` where nothing is given. */
  readonly testLimitSeconds?: number
  /** Programs that must be installed, besides node, git and PostgreSQL. */
  readonly programs: readonly string[]
}

// Most of the time of a test file is spent waiting for the server, which uses the other processors.
const inParallel = availableParallelism() + 1

export const gateConcurrency = inParallel

/** The parts of `npm run check:all`, in the order in which they run. */
export const parts = {
  gate: { concurrency: 1, limitSeconds: 2_400, programs: [] },
  generated: { concurrency: inParallel, limitSeconds: 2_400, programs: [] },
  browser: { concurrency: inParallel, limitSeconds: 2_400, programs: ['chromium'] },
  clients: { concurrency: 1, limitSeconds: 1_200, programs: ['php', 'python3', 'mariadbd'] },
  docs: { concurrency: 1, limitSeconds: 1_800, programs: ['pgbackrest', 'pg_dump'] },
  deploy: {
    concurrency: 1,
    limitSeconds: 1_800,
    programs: ['podman', 'runc', 'caddy', 'docker-compose', 'systemd-analyze', 'promtool', 'prometheus', 'faketime'],
  },
  papers: { concurrency: 1, limitSeconds: 600, programs: ['pdftotext', 'pdftoppm', 'ZXingReader'] },
  release: { concurrency: 1, limitSeconds: 1_200, programs: ['chromium'] },
  demo: { concurrency: 1, limitSeconds: 1_200, programs: ['chromium'] },
  campaigns: {
    concurrency: 1,
    limitSeconds: 5_400,
    testLimitSeconds: 1_800,
    programs: ['haproxy', 'pgbackrest', 'mkfs.ext4'],
  },
  timed: { concurrency: 1, limitSeconds: 2_400, programs: ['chromium'] },
  bench: { concurrency: 1, limitSeconds: 1_200, programs: ['wrk'] },
} as const satisfies Record<string, Settings>

export type Part = keyof typeof parts
const defaultTestLimitSeconds = 600

/** After how many seconds a test is ended, in a part of check:all or in the gate. */
export const testLimitOf = (part?: Part): number =>
  (part === undefined ? undefined : (parts[part] as Settings).testLimitSeconds) ?? defaultTestLimitSeconds

export const partNames = Object.keys(parts) as readonly Part[]

const folders = '{server,web,clients,campaign,demo,release,bench}'

/** Every test file of the repository, sorted. */
export const everyTestFile = (): string[] =>
  globSync(`${folders}/**/*.test.ts`, { cwd: root, exclude: (path) => path.endsWith('node_modules') }).toSorted()

/** The part of check:all that a test file belongs to; none if it belongs to the gate. */
export function partOf(path: string): Part | undefined {
  const name = /\.([a-z]+)\.test\.ts$/.exec(path)?.[1]
  return partNames.find((part) => part === name)
}

export const isInGate = (path: string): boolean => [undefined, 'generated'].includes(partOf(path))

export const isBrowserTest = (path: string): boolean => path.startsWith('web/tests/')

export const gateFiles = (): string[] => everyTestFile().filter(isInGate)

export const filesOf = (part: Part): string[] => everyTestFile().filter((path) => partOf(path) === part)
