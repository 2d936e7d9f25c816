// A small separate disk: an ext4 file system in a file, mounted by a loop device, that can lose its power or become full.

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasProgram } from '../../server/test/harness/postgres-programs.ts'

/** Why this machine cannot provide such disks; undefined when it can. */
export function whyNoLoopDisk(): string | undefined {
  if (process.getuid?.() !== 0) return 'mounting a disk needs root'
  for (const program of ['mkfs.ext4', 'losetup', 'mount', 'perl'])
    if (!hasProgram(program)) return `there is no ${program}`
  try {
    execFileSync('losetup', ['-f'], { stdio: 'pipe' })
    return undefined
  } catch {
    return 'there is no loop device'
  }
}

/** EXT4_IOC_SHUTDOWN with NOLOGFLUSH: from now on nothing reaches the disk, not even the parts of its journal still in memory. */
const shutdown = 'open(my $d, "<", $ARGV[0]) or die $!; my $f = pack("L", 2); ioctl($d, 0x8004587d, $f) or die $!'

export class LoopDisk {
  readonly mountPoint: string
  readonly #image: string

  private constructor(mountPoint: string, image: string) {
    this.mountPoint = mountPoint
    this.#image = image
  }

  static make(folder: string, name: string, megabytes: number): LoopDisk {
    const disk = new LoopDisk(`${folder}/${name}`, `${folder}/${name}.image`)
    writeFileSync(disk.#image, '')
    truncateSync(disk.#image, megabytes * 1024 * 1024)
    execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', disk.#image])
    mkdirSync(disk.mountPoint)
    disk.mount()
    return disk
  }

  mount(): void {
    execFileSync('mount', ['-o', 'loop', this.#image, this.mountPoint])
  }

  /** Flushes everything to the disk. */
  sync(): void {
    execFileSync('sync', ['-f', this.mountPoint])
  }

  cutPower(): void {
    execFileSync('perl', ['-e', shutdown, this.mountPoint])
  }

  /** Processes that had files open may need some time to end. */
  async unmount(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        execFileSync('umount', [this.mountPoint], { stdio: 'pipe' })
        return
      } catch (error) {
        if (attempt === 100) throw error
        await sleep(50)
      }
    }
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.mountPoint)
    return bavail * bsize
  }

  /** Uses up all free space: most of it at once, the rest block by block. */
  fill(): void {
    const most = this.freeBytes - 8 * 1024 * 1024
    const [large, small] = [`${this.mountPoint}/filler-${Date.now()}`, `${this.mountPoint}/filler-small`]
    if (most > 0) execFileSync('fallocate', ['-l', String(most), large])
    execFileSync('sh', ['-c', `cat /dev/zero >> '${small}'; true`], { stdio: 'ignore' })
  }

  drain(): void {
    execFileSync('sh', ['-c', `rm -f '${this.mountPoint}'/filler-*`])
  }

  async remove(): Promise<void> {
    await this.unmount()
    rmSync(this.#image)
  }
}
