// The sheets of labels that can be printed on, in millimetres.

export type LabelSheet = {
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly rows: number
  readonly labelWidth: number
  readonly labelHeight: number
  readonly left: number
  readonly top: number
  /** Between the left edges of neighbours, and between their top edges. */
  readonly stepX: number
  readonly stepY: number
}

const a4 = { width: 210, height: 297 }
const letter = { width: 215.9, height: 279.4 }

export const labelSheets = {
  'a4-3x8': { ...a4, columns: 3, rows: 8, labelWidth: 70, labelHeight: 37, left: 0, top: 0.5, stepX: 70, stepY: 37 },
  'a4-3x7': {
    ...a4,
    columns: 3,
    rows: 7,
    labelWidth: 63.5,
    labelHeight: 38.1,
    left: 7.2,
    top: 15.1,
    stepX: 66,
    stepY: 38.1,
  },
  'letter-3x10': {
    ...letter,
    columns: 3,
    rows: 10,
    labelWidth: 66.7,
    labelHeight: 25.4,
    left: 4.8,
    top: 12.7,
    stepX: 69.9,
    stepY: 25.4,
  },
  'letter-2x5': {
    ...letter,
    columns: 2,
    rows: 5,
    labelWidth: 101.6,
    labelHeight: 50.8,
    left: 4,
    top: 12.7,
    stepX: 106.4,
    stepY: 50.8,
  },
  // One label on each page, for a label printer.
  'roll-62': {
    width: 62,
    height: 29,
    columns: 1,
    rows: 1,
    labelWidth: 62,
    labelHeight: 29,
    left: 0,
    top: 0,
    stepX: 62,
    stepY: 29,
  },
} as const satisfies Readonly<Record<string, LabelSheet>>

export type LabelSheetName = keyof typeof labelSheets
export const labelSheetNames = Object.keys(labelSheets) as readonly LabelSheetName[]
