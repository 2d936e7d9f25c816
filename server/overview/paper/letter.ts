// What all papers but labels have in common: the head with the company's logo, the recipient, the facts beside it, the title, and the foot of every page.

import { Flow, type Frame, lineHeight } from '../../platform/paper/flow.ts'
import { colors, mm, type Page, type Pen, paperSizes, type Style } from '../../platform/paper/sheet.ts'
import { type Formats, paperSizeOf } from './formats.ts'
import type { CompanyFacts } from './job.ts'
import type { Texts } from './texts.ts'

export type Paper = {
  readonly pen: Pen
  readonly company: CompanyFacts
  readonly formats: Formats
  readonly texts: Texts
}

export type Recipient = {
  readonly name: string
  readonly address: string
  readonly country: string
}
export type Fact = readonly [label: string, value: string]

type Head = {
  readonly title: string
  readonly recipient?: Recipient | undefined
  readonly facts: readonly Fact[]
  /** Such as a barcode, at the top right corner below the details of the company. */
  readonly corner?: { readonly height: number; readonly draw: (flow: Flow, right: number, y: number) => void }
}

const label: Style = { size: 7.5, color: colors.faint }
const small: Style = { size: 8 }
const faint: Style = { size: 7, color: colors.faint }

const side = mm(20)
/** Where the window of an envelope begins and how high it is, by DIN 5008. */
const windowTop = mm(47)
const windowHeight = mm(38)
const logoRoom = { width: mm(60), height: mm(18) }

const frameOf = (company: CompanyFacts): Frame => ({
  ...paperSizes[paperSizeOf(company)],
  left: side,
  right: side,
  top: mm(14),
  bottom: mm(28),
})

const nameOf = (company: CompanyFacts): string => company.legal_name || company.name

/** The lines of an address, with the country if it is another than that of the company. */
function addressOf({ name, address, country }: Recipient, { company, formats }: Paper): string {
  const lines = address.split('\n').filter((line) => line.trim() !== '')
  // Many people type the name as the first line of the address.
  const isNamed = lines[0]?.trim().toLocaleLowerCase() === name.trim().toLocaleLowerCase()
  const abroad = country === '' || country === company.country ? [] : [formats.country(country)]
  return [...(isNamed ? [] : [name]), ...lines, ...abroad].join('\n')
}

export function beginLetter(paper: Paper, { title, recipient, facts, corner }: Head): Flow {
  const { pen, company } = paper
  const flow = new Flow(pen, frameOf(company), (own) => {
    own.line(own.lines(title, own.width * 0.6, small, 1)[0] ?? '', own.left, own.y, { ...small, face: 'bold' })
    const shown = own.lines(nameOf(company), own.width * 0.38, small, 1)[0] ?? ''
    own.line(shown, own.left, own.y, { ...small, color: colors.faint }, 'right', own.width)
    own.y += 20
  })
  const right = flow.left + flow.width
  const wide = flow.width * 0.4
  const headEnd = Math.max(drawMark(flow, paper), drawDetails(flow, paper, right - wide, wide))
  const cornerY = headEnd + 8
  if (corner !== undefined) corner.draw(flow, right, cornerY)
  let y = headEnd + 18 + (corner?.height ?? 0)
  if (recipient !== undefined) y = Math.max(windowTop, headEnd + 12)
  const factsEnd = drawFacts(flow, facts, { x: right - wide, y, width: wide })
  const recipientEnd = recipient === undefined ? y : drawRecipient(flow, paper, recipient, y, flow.width - wide - 20)
  flow.y = Math.max(factsEnd, recipientEnd, recipient === undefined ? 0 : windowTop + windowHeight) + 16
  const titleStyle: Style = { size: 16, face: 'bold' }
  flow.y = flow.block(title, { x: flow.left, y: flow.y, width: flow.width, maxLines: 4 }, titleStyle) + 10
  return flow
}

/** The logo, or the name of the company; returns where it ends. */
function drawMark(flow: Flow, { pen, company }: Paper): number {
  const { y, left } = flow
  if (pen.logo === undefined)
    return flow.block(company.name, { x: left, y, width: flow.width * 0.52, maxLines: 3 }, { size: 15, face: 'bold' })
  const { width, height } = pen.logo
  const scale = Math.min(logoRoom.width / width, logoRoom.height / height)
  flow.draw({ kind: 'logo', x: left, y, width: width * scale, height: height * scale })
  return y + height * scale
}

function drawDetails(flow: Flow, { company }: Paper, x: number, width: number): number {
  let y = flow.block(nameOf(company), { x, y: flow.y, width, maxLines: 3 }, { ...small, face: 'bold' })
  for (const text of [company.address, company.phone, company.email])
    if (text !== '') y = flow.block(text, { x, y, width, maxLines: 6 }, small)
  return y
}

function drawRecipient(flow: Flow, paper: Paper, recipient: Recipient, top: number, width: number): number {
  const { company } = paper
  const from = [nameOf(company), ...company.address.split('\n')].filter((part) => part.trim() !== '').join(' · ')
  const [line = ''] = flow.lines(from, width, { size: 6.5 }, 1)
  flow.line(line, flow.left, top, { size: 6.5, color: colors.faint })
  const place = { x: flow.left, y: top + 13, width, maxLines: 12 }
  return flow.block(addressOf(recipient, paper), place, { size: 10 })
}

function drawFacts(flow: Flow, facts: readonly Fact[], place: { x: number; y: number; width: number }): number {
  let { y } = place
  const half = place.width * 0.42
  for (const [name, value] of facts) {
    if (value === '') continue
    const nameEnd = flow.block(name, { ...place, y: y + 0.8, width: half - 6 }, label)
    const valueEnd = flow.block(value, { x: place.x + half, y, width: place.width - half, maxLines: 4 }, { size: 9 })
    y = Math.max(nameEnd, valueEnd) + 1
  }
  return y
}

/** A block with a heading, such as another address; it stays on one page. */
export function drawBlock(flow: Flow, heading: string, text: string): void {
  const lines = flow.lines(text, flow.width * 0.6, small, 12)
  flow.ensure(14 + lines.length * lineHeight(small))
  flow.line(heading, flow.left, flow.y, label)
  flow.y += 12
  for (const line of lines) {
    flow.line(line, flow.left, flow.y, small)
    flow.y += lineHeight(small)
  }
  flow.y += 10
}

/** The end of the last page, and the foot of every page. */
export function endLetter(flow: Flow, paper: Paper, foot: 'full' | 'short'): readonly Page[] {
  const { pen, company, texts } = paper
  const columns = foot === 'full' ? detailsOf(paper) : []
  // The notice also names what the foot cannot print, which is drawn later.
  for (const line of columns.flat()) pen.printable(line)
  drawMissing(flow, paper)
  const { height } = paperSizes[paperSizeOf(company)]
  const top = height - mm(23)
  const count = flow.pages.length
  flow.onEveryPage((number) => {
    flow.rule(top - 6)
    const width = (flow.width - 90) / 3
    for (const [at, column] of columns.entries()) {
      const x = flow.left + at * (width + 5)
      flow.block(column.join('\n'), { x, y: top, width: width - 5, maxLines: 5 }, faint)
    }
    if (foot === 'short')
      flow.line(flow.lines(nameOf(company), flow.width - 100, faint, 1)[0] ?? '', flow.left, top, faint)
    flow.line(texts.page(number, count), flow.left, top, faint, 'right', flow.width)
  })
  return flow.pages
}

const detailsOf = ({ company, texts }: Paper): string[][] =>
  [
    [nameOf(company), ...company.address.split('\n')],
    [
      company.phone,
      company.email,
      company.vat_number ? `${texts.vatNumber} ${company.vat_number}` : '',
      company.registration ?? '',
    ],
    [company.bank_name ?? '', company.bank_account ?? '', company.bank_code ?? ''],
  ].map((column) => column.filter((line) => line.trim() !== ''))

/** Says which characters could not be printed, and why. */
export function drawMissing(flow: Flow, { pen, formats, texts }: Paper): void {
  if (pen.missing.size === 0) return
  const names = [...pen.missing].map((code) => (code === 'Zzzz' ? texts.otherCharacters : formats.script(code)))
  flow.y += 8
  flow.paragraph(texts.notPrinted([...new Set(names)].toSorted().join(', ')), faint)
}
