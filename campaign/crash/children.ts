// Processes that the campaign started: none may outlive it, however it ends.

import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()

export function tracked<T extends ChildProcess>(child: T): T {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
