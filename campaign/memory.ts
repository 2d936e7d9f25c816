// Memory of a process, as Linux counts it.

import { readFileSync } from 'node:fs'

/** The value in kB of a field of /proc/<pid>/status, in MB; 0 when the process has ended. */
export function memoryMb(pid: number, name: 'VmRSS' | 'RssAnon'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
