// Breaks text into lines of a width.

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

export const ellipsis = '…'

/** At spaces; a word that is wider than a line is broken where the line is full. Lines beyond `maxLines` are replaced by an ellipsis. */
export function wrapped(
  text: string,
  width: number,
  widthOf: (text: string) => number,
  maxLines = Number.POSITIVE_INFINITY,
): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    addLines(lines, paragraph, width, widthOf, maxLines)
    if (lines.length > maxLines) break
  }
  if (lines.length <= maxLines) return lines
  const kept = lines.slice(0, maxLines)
  return [...kept.slice(0, -1), shortened(`${kept.at(-1)}${ellipsis}`, width, widthOf)]
}

function addLines(
  lines: string[],
  paragraph: string,
  width: number,
  widthOf: (text: string) => number,
  maxLines: number,
): void {
  let line = ''
  for (const word of paragraph.split(' ').filter((one) => one !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    if (lines.length > maxLines) return
    if (widthOf(word) <= width) continue
    const pieces = piecesOf(word, width, widthOf, maxLines)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  lines.push(line)
}

/** A word that is too wide, in pieces that are not. */
function piecesOf(word: string, width: number, widthOf: (text: string) => number, maxPieces: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of segmenter.segment(word)) {
    if (piece !== '' && widthOf(piece + segment) > width) {
      pieces.push(piece)
      if (pieces.length > maxPieces) return pieces
      piece = ''
    }
    piece += segment
  }
  return [...pieces, piece]
}

/** A line that ends with an ellipsis, without as many letters before it as make it fit. */
function shortened(line: string, width: number, widthOf: (text: string) => number): string {
  const letters = [...segmenter.segment(line.slice(0, -ellipsis.length))].map(({ segment }) => segment)
  while (letters.length > 0 && widthOf(`${letters.join('')}${ellipsis}`) > width) letters.pop()
  return `${letters.join('').trimEnd()}${ellipsis}`
}
