// The texts of a PDF that Kontor wrote, page by page, without another program. It reads only what pdfkit writes.

import { inflateSync } from 'node:zlib'

type Part = { readonly dictionary: string; readonly stream: string }

/** The texts of each page, in the order in which they were drawn. */
export function pagesOf(pdf: Uint8Array): string[][] {
  const file = Buffer.from(pdf).toString('latin1')
  const parts = partsOf(file)
  const at = (reference: string | undefined): Part => parts.get(Number(reference)) ?? { dictionary: '', stream: '' }
  const fonts = new Map<string, ReadonlyMap<string, string>>()
  for (const { dictionary } of parts.values())
    for (const [, name = '', reference] of dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g))
      fonts.set(name, charactersOf(at(/\/ToUnicode (\d+) 0 R/.exec(at(reference).dictionary)?.[1]).stream))
  const [, kids = ''] = [...parts.values()]
    .map(
      ({ dictionary }) =>
        /\/Type \/Pages[\s\S]*\/Kids \[([^\]]*)\]/.exec(dictionary) ?? /\/Kids \[([^\]]*)\]/.exec(dictionary),
    )
    .find((match) => match !== null) ?? ['', '']
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, page]) => {
    const contents = /\/Contents (\d+) 0 R/.exec(at(page).dictionary)?.[1]
    return textsOf(at(contents).stream, fonts)
  })
}

export const textOf = (pdf: Uint8Array): string => pagesOf(pdf).flat().join('\n')

function partsOf(file: string): ReadonlyMap<number, Part> {
  const parts = new Map<number, Part>()
  const start = /(\d+) 0 obj\n/g
  for (let match = start.exec(file); match !== null; match = start.exec(file)) {
    const body = start.lastIndex
    const streamAt = file.indexOf('stream\n', body)
    const endAt = file.indexOf('endobj', body)
    const hasStream = streamAt !== -1 && streamAt < endAt
    const dictionary = file.slice(body, hasStream ? streamAt : endAt)
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1] ?? 0)
    const raw = hasStream ? file.slice(streamAt + 'stream\n'.length, streamAt + 'stream\n'.length + length) : ''
    const isPacked = dictionary.includes('/FlateDecode') && !dictionary.includes('/Subtype /Image')
    const stream = isPacked ? inflateSync(Buffer.from(raw, 'latin1')).toString('latin1') : raw
    parts.set(Number(match[1]), { dictionary, stream })
    start.lastIndex = hasStream ? streamAt + length : endAt
  }
  return parts
}

/** The characters of each glyph, by its four hexadecimal digits. */
function charactersOf(cmap: string): ReadonlyMap<string, string> {
  const characters = new Map<string, string>()
  for (const [, from = '', list = ''] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g))
    for (const [index, [, units = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries())
      characters.set(
        (Number.parseInt(from, 16) + index).toString(16).padStart(4, '0'),
        [...units.matchAll(/[0-9a-f]{4}/g)].map(([unit]) => String.fromCharCode(Number.parseInt(unit, 16))).join(''),
      )
  return characters
}

function textsOf(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const texts: string[] = []
  for (const [, block = ''] of content.matchAll(/BT\n([\s\S]*?)ET/g)) {
    const characters = fonts.get(/\/(F\d+) /.exec(block)?.[1] ?? '')
    const glyphs = [...block.matchAll(/<([0-9a-f]+)>/g)].map(([, hex]) => hex).join('')
    texts.push([...glyphs.matchAll(/.{4}/g)].map(([glyph]) => characters?.get(glyph) ?? '?').join(''))
  }
  return texts
}
