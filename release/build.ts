// Builds the release of a checkout. The folder has the layout of the repository, so that the code finds migrations, screens and data where it
// finds them in a checkout.

import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { type Commit, readCommit } from './commit.ts'
import { removeDeadLinks } from './documents.ts'
import { licenceTexts } from './licences.ts'
import { copyPackages, type Lockfile, runtimePackages } from './packages.ts'
import { run } from './run.ts'
import { createSbom } from './sbom.ts'

export type Release = {
  readonly folder: string
  readonly tarball: string
  readonly checksum: string
  readonly sbom: string
  readonly commit: string | undefined
}

export type ReleaseOptions = {
  /** The checkout; "npm ci" was run in it. */
  readonly source: string
  readonly out: string
}

export function buildRelease({ source: checkout, out }: ReleaseOptions): Release {
  const source = resolve(checkout)
  const { version } = readJson(join(source, 'package.json'))
  const name = `kontor-${version}`
  const folder = resolve(out, name)
  const commit = readCommit(source)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  compileServer(source, folder)
  buildScreens(source, folder)
  copyFiles(source, folder)
  removeDeadLinks(folder)
  const lockfile: Lockfile = readJson(join(source, 'package-lock.json'))
  copyPackages(source, folder, lockfile)
  const shipped = [...runtimePackages(lockfile, 'server'), ...runtimePackages(lockfile, 'web')]
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenceTexts(source, shipped))
  writeFileSync(join(folder, 'package.json'), packageJson(source, commit))
  makeUniform(folder, commit)
  const tarball = pack(folder, resolve(out))
  const sbom = resolve(out, `${name}.cdx.json`)
  writeFileSync(sbom, createSbom(source, version, commit))
  const checksum = `${tarball}.sha256`
  writeFileSync(checksum, `${sha256(tarball)}  ${basename(tarball)}\n`)
  return { folder, tarball, checksum, sbom, commit: commit?.id }
}

/** The type of the result is checked by what uses it: the files are ours. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
const readJson = (path: string): any => JSON.parse(readFileSync(path, 'utf8'))

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Node does not run TypeScript below node_modules. Only what the command imports is compiled, so no test is. */
function compileServer(source: string, folder: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'kontor-release-'))
  try {
    const project = join(scratch, 'tsconfig.json')
    const compilerOptions = {
      allowJs: true,
      noEmit: false,
      rewriteRelativeImportExtensions: true,
      rootDir: source,
      outDir: folder,
      typeRoots: [join(source, 'node_modules', '@types')],
    }
    const files = ['server/kontor.js', 'server/cli.ts', 'server/plan-thread.ts', 'server/paper-thread.ts'].map((path) =>
      join(source, path),
    )
    const settings = { extends: join(source, 'tsconfig.json'), compilerOptions, files, include: [] }
    writeFileSync(project, JSON.stringify(settings))
    run(join(source, 'node_modules', '.bin', 'tsc'), ['-p', project], source)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function buildScreens(source: string, folder: string): void {
  const outDir = join(folder, 'web', 'dist')
  const vite = join(source, 'node_modules', '.bin', 'vite')
  run(vite, ['build', '--logLevel', 'warn', '--outDir', outDir], join(source, 'web'))
}

/** What the code and operators read. */
const files = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/**/*.md',
  'docs/*.json',
  'deploy/{Dockerfile,*.sql}',
  'deploy/systemd/*',
  'deploy/compose/{Caddyfile,kontor.env,*.sh,*.yaml}',
  'deploy/grafana/*',
  'deploy/prometheus/{alerts,prometheus}.yaml',
  'deploy/helm/**/*.{json,tpl,yaml}',
  'migrations/*.sql',
  'server/package.json',
  'server/**/*.{gz,txt}',
]

function copyFiles(source: string, folder: string): void {
  for (const path of globSync(files, { cwd: source, exclude: ['server/test/**'] }))
    cpSync(join(source, path), join(folder, path))
}

function packageJson(source: string, commit: Commit | undefined): string {
  const { name, version, description, license, type } = readJson(join(source, 'package.json'))
  const { engines, dependencies } = readJson(join(source, 'server', 'package.json'))
  const content = {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { kontor: 'server/kontor.js' },
    dependencies,
    bundleDependencies: Object.keys(dependencies),
    gitHead: commit?.id,
  }
  return `${JSON.stringify(content, undefined, 2)}\n`
}

/** Modes and times of files depend on the machine otherwise. */
function makeUniform(folder: string, commit: Commit | undefined): void {
  const seconds = commit?.seconds ?? 0
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const path = join(folder, name)
    const isExecutable = lstatSync(path).isDirectory() || name.endsWith('.sh') || name === join('server', 'kontor.js')
    chmodSync(path, isExecutable ? 0o755 : 0o644)
    utimesSync(path, seconds, seconds)
  }
}

/** npm sorts the files and sets their owner and time to fixed values. */
function pack(folder: string, out: string): string {
  const tarball = join(out, `${basename(folder)}.tgz`)
  rmSync(tarball, { force: true })
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], folder)
  if (!existsSync(tarball)) throw new Error(`npm did not write ${tarball}`)
  return tarball
}
