// Reads codes from pictures of the camera, with ZXing compiled to WebAssembly. A worker of its own, because only its response allows
// WebAssembly (docs/decisions/0035-codes-are-read-in-a-worker.md), and so that the video does not stutter.

import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { codesIn, formats, type SeenCode } from './codes.ts'

export type ScanRequest = { readonly picture: ImageData }
export type ScanResponse = { readonly codes: readonly SeenCode[] } | { readonly error: string }

// By default the file would be loaded from another origin.
prepareZXingModule({ overrides: { locateFile: () => wasm } })
const detector = new BarcodeDetector({ formats: [...formats] })

self.addEventListener('message', async ({ data }: MessageEvent<ScanRequest>) => {
  const response: ScanResponse = await detector.detect(data.picture).then(
    (found) => ({ codes: codesIn(found) }),
    (error: unknown) => ({ error: String(error) }),
  )
  self.postMessage(response)
})
