// Opens a file of the user's with a worker, which ends when the file is read.

import { limits } from './refusal.ts'
import type { ReadFile } from './table.ts'

const longestMs = 60_000

export async function openFile(file: File): Promise<ReadFile> {
  // Not even passed to the worker.
  if (file.size > limits.fileBytes) return { refusal: { why: 'too large', limit: limits.fileBytes } }
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<ReadFile>((resolve) => {
      const damaged = (): void => resolve({ refusal: { why: 'damaged' } })
      const timer = setTimeout(damaged, longestMs)
      worker.onerror = damaged
      worker.onmessage = ({ data }: MessageEvent<ReadFile>) => {
        clearTimeout(timer)
        resolve(data)
      }
      worker.postMessage({ file })
    })
  } finally {
    worker.terminate()
  }
}
