// The decimal mark of the numbers in a file, from all of its cells; and numbers as the server reads them.

import type { Line } from './refusal.ts'

export type DecimalMark = '.' | ','

const sampledRows = 2_000

/** Cells such as 1.234,50 and 12,5 say that it is a comma; those that could be either say nothing. */
export function decimalMarkOf(rows: readonly Line[]): DecimalMark {
  const votes = { '.': 0, ',': 0 }
  for (const { cells } of rows.slice(0, sampledRows))
    for (const cell of cells) {
      const mark = markOf(cell)
      if (mark !== undefined) votes[mark]++
    }
  return votes[','] > votes['.'] ? ',' : '.'
}

function markOf(cell: string): DecimalMark | undefined {
  const [, whole = '', mark, fraction = ''] =
    /^[^\d.,]{0,4}([\d.,' \u00a0\u202f]*)([.,])(\d+)[^\d.,]{0,4}$/.exec(cell) ?? []
  if (mark !== '.' && mark !== ',') return undefined
  const other = mark === '.' ? ',' : '.'
  if (whole.includes(mark)) return other
  // 1.234 and 1,234 may be either.
  return whole.includes(other) || fraction.length !== 3 || whole === '0' || whole === '' ? mark : undefined
}

/** Digits and a point; `undefined` for everything that is not a number. Separators of thousands, currency signs and spaces are left out. */
export function plainNumber(cell: string, mark: DecimalMark): string | undefined {
  const sign = /^\s*[-−–]|-\s*$|^\s*\(.*\)\s*$/.test(cell) ? '-' : ''
  const digits = cell
    .replace(/[\s\u00a0\u202f'’]/g, '')
    .replace(/^\(|\)$/g, '')
    .replace(/^[-−–+]|-$/g, '')
    .replace(
      /^(?:\p{Sc}|[A-Za-z]{2,3}\.?|р\.|руб\.?|грн\.?|zł|Kč)|(?:\p{Sc}|[A-Z]{3}|р\.|руб\.?|грн\.?|zł|kr\.?|Kč)$/gu,
      '',
    )
  const [group, decimal] = mark === '.' ? [',', '.'] : ['.', ',']
  const [whole = '', fraction, ...more] = digits.split(decimal)
  if (more.length > 0 || (fraction !== undefined && !/^\d*$/.test(fraction))) return undefined
  const grouped = whole.split(group)
  const isGrouped = grouped.every((part, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(part))
  if (!(grouped.length === 1 ? /^\d*$/.test(whole) : isGrouped) || (whole === '' && !fraction)) return undefined
  const plain = `${grouped.join('').replace(/^0+(?=\d)/, '') || '0'}${fraction ? `.${fraction}` : ''}`
  return `${sign}${plain}`
}
