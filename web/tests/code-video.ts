// A video for Chromium's fake camera: barcodes and QR codes, one after another, with nothing in between. Uncompressed YUV4MPEG2, because
// that needs no encoder.

import { closeSync, openSync, writeSync } from 'node:fs'
import bwipjs from 'bwip-js/node'

const width = 640
const height = 480
const white = 235
const black = 16

export type DrawnCode = { readonly bcid: string; readonly text: string }

type Encoded = { readonly sbs?: readonly number[]; readonly pixs?: readonly number[]; readonly pixx?: number }

/** The brightness of each pixel: the code in the middle, on white. */
function drawn(code: DrawnCode | undefined): Buffer {
  const picture = Buffer.alloc(width * height, white)
  if (code === undefined) return picture
  const fill = (left: number, top: number, wide: number, high: number): void => {
    for (let y = top; y < top + high; y += 1) picture.fill(black, y * width + left, y * width + left + wide)
  }
  const [encoded] = bwipjs.raw(code.bcid, code.text, '') as unknown as Encoded[]
  if (encoded?.pixs !== undefined) {
    const side = encoded.pixx ?? 0
    const module = 8
    const [left, top] = [(width - side * module) / 2, (height - side * module) / 2]
    for (const [at, isDark] of encoded.pixs.entries())
      if (isDark) fill(left + (at % side) * module, top + Math.floor(at / side) * module, module, module)
    return picture
  }
  // Widths of bars and spaces in turn.
  const widths = encoded?.sbs ?? []
  const modules = widths.reduce((sum, one) => sum + one, 0)
  const module = 2
  let left = Math.round((width - modules * module) / 2)
  for (const [at, wide] of widths.entries()) {
    if (at % 2 === 0) fill(left, height / 2 - 60, wide * module, 120)
    left += wide * module
  }
  return picture
}

/** Each code for a few seconds; the camera then starts again. */
export function writeVideo(path: string, codes: readonly DrawnCode[]): void {
  const file = openSync(path, 'w')
  const grey = Buffer.alloc((width * height) / 2, 128)
  const put = (code: DrawnCode | undefined, frames: number): void => {
    const picture = drawn(code)
    for (let frame = 0; frame < frames; frame += 1) {
      writeSync(file, 'FRAME\n')
      writeSync(file, picture)
      writeSync(file, grey)
    }
  }
  writeSync(file, `YUV4MPEG2 W${width} H${height} F2:1 Ip A1:1 C420jpeg\n`)
  for (const code of codes) {
    put(code, 6)
    if (codes.length > 1) put(undefined, 1)
  }
  closeSync(file)
}
