// Reads codes from the video: with the browser's own detector if it knows all formats, otherwise with a worker.

import { codesIn, formats, fromCentre, type SeenCode } from './codes.ts'
import type { ScanRequest, ScanResponse } from './scan-worker.ts'

type Detector = { detect: (picture: ImageData) => Promise<Parameters<typeof codesIn>[0]> }
type DetectorClass = {
  new (options: { formats: readonly string[] }): Detector
  getSupportedFormats: () => Promise<readonly string[]>
}

export type CodeReader = {
  /** The codes inside the frame, the one nearest to its centre first. */
  readonly read: (video: HTMLVideoElement, frame: Element) => Promise<string[]>
  readonly close: () => void
}

/** Wider pictures take longer and show no more of a code. */
const maxPictureWidth = 1280
/** Loading the worker's files may take long on a slow connection. */
const longestMs = 60_000

async function findOwnDetector(): Promise<Detector | undefined> {
  const { BarcodeDetector: Own } = globalThis as { BarcodeDetector?: DetectorClass }
  if (Own === undefined) return undefined
  try {
    const known = await Own.getSupportedFormats()
    return formats.every((format) => known.includes(format)) ? new Own({ formats }) : undefined
  } catch {
    return undefined
  }
}

export async function openReader(): Promise<CodeReader> {
  let own = await findOwnDetector()
  let worker: ReturnType<typeof openWorker> | undefined
  const canvas = document.createElement('canvas')
  const detect = async (picture: ImageData): Promise<readonly SeenCode[]> => {
    if (own !== undefined) {
      try {
        return codesIn(await own.detect(picture))
      } catch {
        // Some phones offer a detector whose service is missing.
        own = undefined
      }
    }
    worker ??= openWorker()
    return await worker.detect(picture)
  }
  return {
    read: async (video, frame) => {
      const picture = pictureOf(video, frame, canvas)
      if (picture === undefined) return []
      const { width, height } = picture
      return fromCentre(await detect(picture), width, height)
    },
    close: () => worker?.close(),
  }
}

function openWorker() {
  const worker = new Worker(new URL('./scan-worker.ts', import.meta.url), { type: 'module' })
  const detect = async (picture: ImageData): Promise<readonly SeenCode[]> => {
    const response = await new Promise<ScanResponse>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the worker does not answer')), longestMs)
      worker.onmessage = ({ data }: MessageEvent<ScanResponse>) => {
        clearTimeout(timer)
        resolve(data)
      }
      worker.onerror = (event) => {
        clearTimeout(timer)
        reject(new Error(event.message))
      }
      worker.postMessage({ picture } satisfies ScanRequest, [picture.data.buffer])
    })
    if ('error' in response) throw new Error(response.error)
    return response.codes
  }
  return { detect, close: () => worker.terminate() }
}

/** The part of the video inside the frame. The video covers its box, so that parts of it are cut off. */
function pictureOf(video: HTMLVideoElement, frame: Element, canvas: HTMLCanvasElement): ImageData | undefined {
  const shown = video.getBoundingClientRect()
  const inside = frame.getBoundingClientRect()
  const { videoWidth, videoHeight } = video
  if (videoWidth === 0 || shown.width === 0 || inside.width === 0 || inside.height === 0) return undefined
  const scale = Math.max(shown.width / videoWidth, shown.height / videoHeight)
  const left = (inside.left - shown.left - shown.width / 2) / scale + videoWidth / 2
  const top = (inside.top - shown.top - shown.height / 2) / scale + videoHeight / 2
  const width = inside.width / scale
  const height = inside.height / scale
  const shrink = Math.min(1, maxPictureWidth / width)
  canvas.width = Math.round(width * shrink)
  canvas.height = Math.round(height * shrink)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) return undefined
  context.drawImage(video, left, top, width, height, 0, 0, canvas.width, canvas.height)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}
