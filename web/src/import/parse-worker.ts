// Reads files in a worker, so that the page stays responsive, and a file that takes long can be given up.

import { readFile } from './table.ts'

self.addEventListener('message', async ({ data }: MessageEvent<{ readonly file: Blob }>) => {
  self.postMessage(readFile(new Uint8Array(await data.file.arrayBuffer())))
})
