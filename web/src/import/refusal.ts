// Why a file cannot be read, and what is said about one that can.

export type FileRefusal =
  | {
      readonly why: 'empty' | 'no headings' | 'truncated' | 'password' | 'old format' | 'not a spreadsheet' | 'damaged'
    }
  | { readonly why: 'too large' | 'unpacks too large' | 'too many rows' | 'too many columns'; readonly limit: number }
  | { readonly why: 'cell too long' | 'open quote'; readonly line: number }

export class UnreadableFile extends Error {
  readonly refusal: FileRefusal

  constructor(refusal: FileRefusal) {
    super(refusal.why)
    this.name = 'UnreadableFile'
    this.refusal = refusal
  }
}

export function unreadable(refusal: FileRefusal): never {
  throw new UnreadableFile(refusal)
}

/** Files of that many rows are checked and written in a minute. */
export const limits = {
  fileBytes: 20 * 1024 * 1024,
  /** One part of a workbook, unpacked. It is read in pieces, and nothing of it is kept but its cells. */
  partBytes: 64 * 1024 * 1024,
  /** All texts of the cells together. */
  textLength: 40 * 1024 * 1024,
  rows: 20_000,
  columns: 200,
  cellLength: 32_767,
} as const

/** What a user should know about a file that was read. */
export type Note =
  | {
      readonly what: 'title rows' | 'merged cells' | 'formulas without values' | 'formula errors'
      readonly count: number
    }
  | { readonly what: 'other sheets'; readonly sheet: string; readonly count: number }

/** A line of the file; cells that are missing at its end are empty. */
export type Line = { readonly line: number; readonly cells: readonly string[] }

/** Begins a cell that holds a number in the file, not a text; it is written with a point. */
export const numberSign = '\ue000'

/** Collects the lines of a file within the limits. */
export class Lines {
  readonly all: Line[] = []
  #length = 0

  add(line: number, read: readonly string[]): void {
    const cells = read.map((cell) => cell.trim())
    let end = cells.length
    while (end > 0 && cells[end - 1] === '') end--
    if (end === 0) return
    if (end > limits.columns) unreadable({ why: 'too many columns', limit: limits.columns })
    // The headings and titles above them do not count.
    if (this.all.length > limits.rows + 5) unreadable({ why: 'too many rows', limit: limits.rows })
    for (let at = 0; at < end; at++) {
      const { length } = cells[at] ?? ''
      if (length > limits.cellLength) unreadable({ why: 'cell too long', line })
      this.#length += length
    }
    if (this.#length > limits.textLength) unreadable({ why: 'unpacks too large', limit: limits.textLength })
    this.all.push({ line, cells: cells.slice(0, end) })
  }
}
