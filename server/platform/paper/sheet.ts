// A printed page as data: what is drawn where, in points from the top left corner. Composing is separate from writing PDF, so that tests can read pages.

export type Face = 'regular' | 'bold'

export type Style = {
  readonly face?: Face
  readonly size?: number
  readonly color?: string
  /** All figures are equally wide, so that numbers below each other can be compared. */
  readonly hasEqualFigures?: boolean
}

export const colors = { text: '#1c1c1a', faint: '#66665f', rule: '#c4c4bc' } as const

export type Mark =
  | {
      readonly kind: 'text'
      readonly x: number
      /** Of the baseline. */
      readonly y: number
      readonly text: string
      readonly face: Face
      readonly size: number
      readonly color: string
      readonly hasEqualFigures: boolean
    }
  | {
      readonly kind: 'rule'
      readonly x: number
      readonly y: number
      readonly width: number
      readonly thickness: number
      readonly color: string
    }
  /** Black rectangles without a gap between neighbours: the modules of a barcode. */
  | { readonly kind: 'code'; readonly text: string; readonly boxes: readonly Box[] }
  | {
      readonly kind: 'logo'
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
    }

export type Box = readonly [x: number, y: number, width: number, height: number]

export type Page = readonly Mark[]

export type Sheet = {
  readonly width: number
  readonly height: number
  readonly pages: readonly Page[]
  /** The title of the PDF, which is also the name of its file. */
  readonly title: string
  readonly author: string
}

/** A picture that a PDF can contain. */
export type Logo = { readonly bytes: Uint8Array; readonly type: string }
/** The size of a picture in pixels. */
export type PictureSize = { readonly width: number; readonly height: number }

/** Measures texts, and replaces what the typeface does not have. */
export type Pen = {
  readonly widthOf: (text: string, style: Style) => number
  /** The text as it can be printed. What is left out of it is added to `missing`. */
  readonly printable: (text: string) => string
  /** The scripts of characters that could not be printed, by their four letters in ISO 15924; `Zzzz` for others, such as emoji. */
  readonly missing: ReadonlySet<string>
  readonly logo: PictureSize | undefined
}

const pointsPerMm = 72 / 25.4
export const mm = (length: number): number => length * pointsPerMm

export const paperSizes = { A4: { width: mm(210), height: mm(297) }, Letter: { width: 612, height: 792 } } as const
export type PaperSize = keyof typeof paperSizes
