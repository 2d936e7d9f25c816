// The codes that the camera reads, and when a code in view counts as scanned.

/** What labels of goods carry. Names as in the browser's Barcode Detection API. */
export const formats = ['code_128', 'ean_13', 'ean_8', 'upc_a', 'upc_e', 'qr_code'] as const

/** A code in a picture, and where its centre is. */
export type SeenCode = { readonly text: string; readonly x: number; readonly y: number }

type Detected = {
  readonly rawValue: string
  readonly boundingBox: Pick<DOMRectReadOnly, 'x' | 'y' | 'width' | 'height'>
}

export const codesIn = (found: readonly Detected[]): SeenCode[] =>
  found
    .map(({ rawValue, boundingBox: { x, y, width, height } }) => ({
      text: rawValue.trim(),
      x: x + width / 2,
      y: y + height / 2,
    }))
    .filter(({ text }) => text !== '')

/** The texts, the one nearest to the centre of the picture first. */
export function fromCentre(codes: readonly SeenCode[], width: number, height: number): string[] {
  const distance = ({ x, y }: SeenCode): number => Math.hypot(x - width / 2, y - height / 2)
  return codes.toSorted((one, other) => distance(one) - distance(other)).map(({ text }) => text)
}

/** UPC-E is UPC-A with zeros left out. */
const upcE: readonly (readonly [long: RegExp, toShort: string, short: RegExp, toLong: string])[] = [
  [/^([01]\d\d)([0-2])0000(\d{3})(\d)$/, '$1$3$2$4', /^([01]\d\d)(\d{3})([0-2])(\d)$/, '$1$30000$2$4'],
  [/^([01]\d{3})00000(\d\d)(\d)$/, '$1$23$3', /^([01]\d{3})(\d\d)3(\d)$/, '$100000$2$3'],
  [/^([01]\d{4})00000(\d)(\d)$/, '$1$24$3', /^([01]\d{4})(\d)4(\d)$/, '$100000$2$3'],
  [/^([01]\d{5})0000([5-9])(\d)$/, '$1$2$3', /^([01]\d{5})([5-9])(\d)$/, '$10000$2$3'],
]

/** UPC-A is EAN-13 with the leading zero left out. */
function upcASpellings(code: string): string[] {
  const short = upcE.find(([long]) => long.test(code))
  return [code, `0${code}`, ...(short ? [code.replace(short[0], short[1])] : [])]
}

/** The texts under which an item may have the code, beginning with the code itself: readers and labels use different forms of a UPC. */
export function spellingsOf(code: string): string[] {
  const long = upcE.find(([, , short]) => short.test(code))
  const other = long ? upcASpellings(code.replace(long[2], long[3])) : []
  const upcA = /^0?(\d{12})$/.exec(code)?.[1]
  return [...new Set([code, ...other, ...(upcA === undefined ? [] : upcASpellings(upcA))])]
}

/** A code is out of view after so many pictures without it, about a second. */
export const awayPictures = 8

/**
 * Decides which code of a series of pictures is scanned: the one nearest to the centre, in two pictures in a row, so that a misread code
 * is ignored; and once, until it was out of view.
 */
export class ScannedCodes {
  #before: string | undefined
  /** Scanned codes in view, with the number of pictures since each was last seen. */
  readonly #inView = new Map<string, number>()

  /** The code scanned with this picture, if any. */
  take(codes: readonly string[]): string | undefined {
    const [code] = codes
    const isConfirmed = code !== undefined && code === this.#before
    this.#before = code
    for (const [one, missed] of this.#inView) {
      if (codes.includes(one)) this.#inView.set(one, 0)
      else if (missed + 1 >= awayPictures) this.#inView.delete(one)
      else this.#inView.set(one, missed + 1)
    }
    if (!isConfirmed || this.#inView.has(code)) return undefined
    this.#inView.set(code, 0)
    return code
  }
}
