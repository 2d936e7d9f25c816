// Reads a day as people type it: in the order of their locale, with any separator or none, with or without the year.

export type DayRead =
  | { readonly is: 'empty' }
  | { readonly is: 'wrong' }
  /** `YYYY-MM-DD` */
  | { readonly is: 'day'; readonly day: string }

type Part = 'day' | 'month' | 'year'
export type DayOrder = readonly Part[]

/** The order in which the locale writes day, month and year. */
export const dayOrderOf = (locale: string): DayOrder =>
  new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit', calendar: 'gregory' })
    .formatToParts(0)
    .flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []))

const wrong: DayRead = { is: 'wrong' }
const longest = 40

/** `thisYear` completes a day that was typed without its year. */
export function readDay(typed: string, order: DayOrder, thisYear: number): DayRead {
  const text = typed.trim()
  if (text === '') return { is: 'empty' }
  if (text.length > longest || /[^\d./\-,\s年月日]/.test(text)) return wrong
  const numbers = text.split(/\D+/).filter(Boolean)
  const parts = numbers.length === 1 ? withoutSeparators(numbers[0] ?? '', order) : numbers
  const ordered = orderOf(parts, order)
  if (ordered === undefined) return wrong
  const part = (name: Part): string | undefined => parts[ordered.indexOf(name)]
  return dayOf(yearOf(part('year'), thisYear), Number(part('month')), Number(part('day')))
}

/** Four digits first are a year in every locale: 2026-03-12. */
function orderOf(parts: readonly string[], order: DayOrder): DayOrder | undefined {
  if (parts.length === 2) return order.filter((part) => part !== 'year')
  if (parts.length !== 3) return undefined
  return parts[0]?.length === 4 ? ['year', 'month', 'day'] : order
}

/** 1203, 120326 and 12032026; a year of four digits may also come first. */
function withoutSeparators(digits: string, order: DayOrder): string[] {
  const cut = (...lengths: number[]): string[] => {
    let from = 0
    return lengths.map((length) => {
      from += length
      return digits.slice(from - length, from)
    })
  }
  if (digits.length === 4) return cut(2, 2)
  if (digits.length === 6) return cut(2, 2, 2)
  if (digits.length === 8) return order[0] === 'year' ? cut(4, 2, 2) : cut(2, 2, 4)
  return []
}

/** Two digits are a year of this century. */
function yearOf(text: string | undefined, thisYear: number): number {
  if (text === undefined) return thisYear
  if (text.length === 2) return 2000 + Number(text)
  return text.length === 4 ? Number(text) : Number.NaN
}

/** Refuses days that the calendar does not have, such as 31 April. */
function dayOf(year: number, month: number, day: number): DayRead {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal && year >= 1000 ? { is: 'day', day: date.toISOString().slice(0, 10) } : wrong
}
