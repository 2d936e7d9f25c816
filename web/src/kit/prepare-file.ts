// Prepares a file for sending: a picture is encoded again, at most 1,600 pixels wide and high, without its metadata, and with a thumbnail.

import { messages } from '../messages.ts'

const texts = messages.files
const mib = 1024 * 1024
const maxPdfBytes = 5 * mib
/** Decoding a larger picture may take more memory than a phone has. */
const maxPictureBytes = 40 * mib
const maxPixels = 1_600
const maxThumbnailPixels = 160

export type PreparedFile = { readonly name: string; readonly content: string; readonly thumbnail?: string }

/** What a file dialog offers. */
export const pictureTypes = 'image/png,image/jpeg,image/webp,image/avif,image/heic,image/gif,image/*'
export const attachedTypes = `${pictureTypes},application/pdf`

/** Why a file cannot be sent, as a sentence for the user. */
export class UnusableFile extends Error {}

export async function prepareFile(file: File): Promise<PreparedFile> {
  if (file.type === 'application/pdf') {
    if (file.size > maxPdfBytes) throw new UnusableFile(texts.tooLarge(file.name))
    return { name: file.name, content: await base64Of(file) }
  }
  const picture = await pictureOf(file)
  try {
    const [content, thumbnail] = [await encoded(picture, maxPixels), await encoded(picture, maxThumbnailPixels)]
    return { name: withoutEnding(file.name), content: await base64Of(content), thumbnail: await base64Of(thumbnail) }
  } finally {
    picture.close()
  }
}

const maxLogoPixels = 600
const maxLogoBytes = 512 * 1024

/** A picture as a PNG, the one type with transparent parts that a PDF can contain; as a JPEG if that is too large. */
export async function prepareLogo(file: File): Promise<{ readonly content: string }> {
  const picture = await pictureOf(file)
  try {
    const canvas = drawn(picture, maxLogoPixels)
    const png = await blobOf(canvas, 'image/png')
    return { content: await base64Of(png.size <= maxLogoBytes ? png : await jpegOf(canvas)) }
  } finally {
    picture.close()
  }
}

/** The server adds the ending of the new type. */
const withoutEnding = (name: string): string => name.replace(/\.[a-z]{3,5}$/i, '') || name

async function pictureOf(file: File): Promise<ImageBitmap> {
  if (!file.type.startsWith('image/')) throw new UnusableFile(texts.wrongType(file.name))
  if (file.size > maxPictureBytes) throw new UnusableFile(texts.tooLarge(file.name))
  return await createImageBitmap(file).catch(() => {
    throw new UnusableFile(texts.unreadable(file.name))
  })
}

function drawn(picture: ImageBitmap, maxSide: number): HTMLCanvasElement {
  const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (context === null) throw new UnusableFile(texts.unreadable(''))
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

async function encoded(picture: ImageBitmap, maxSide: number): Promise<Blob> {
  const canvas = drawn(picture, maxSide)
  const webp = await blobOf(canvas, 'image/webp')
  // A browser that cannot write a type writes a PNG instead, which would be many times as large.
  return webp.type === 'image/webp' ? webp : await jpegOf(canvas)
}

/** What was transparent becomes white. */
async function jpegOf(canvas: HTMLCanvasElement): Promise<Blob> {
  const context = canvas.getContext('2d')
  if (context === null) throw new UnusableFile(texts.unreadable(''))
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  return await blobOf(canvas, 'image/jpeg')
}

const blobOf = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new UnusableFile(texts.unreadable(''))) : resolve(blob)),
      type,
      0.85,
    ),
  )

const base64Of = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new UnusableFile(texts.unreadable('')))
    reader.readAsDataURL(blob)
  })
