// Papers read by other programs: the text by pdftotext, and the barcodes by a scanner from a picture of the page.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Pdf } from '../../platform/paper/pdf.ts'
import type { Mark } from '../../platform/paper/sheet.ts'
import { itemsToLabel, jobToPrint, longName, saleToPrint, slipToPrint } from '../../test/harness/papers.ts'
import { composeSheet, printPaper } from './compose.ts'
import type { PaperJob } from './job.ts'
import { labelSheetNames } from './label-sheets.ts'

const folder = mkdtempSync(join(tmpdir(), 'kontor-papers-'))
after(() => rmSync(folder, { recursive: true }))

type Printed = { readonly path: string; readonly job: PaperJob }

async function printed(
  kind: PaperJob['kind'],
  facts: object,
  options: Partial<PaperJob['options']> = {},
): Promise<Printed> {
  const job: PaperJob = { kind, facts: JSON.stringify(facts), options: { language: 'en', ...options }, logo: undefined }
  const path = join(folder, `${Math.random()}.pdf`)
  writeFileSync(path, (await printPaper(job)).content)
  return { path, job }
}

const textOf = ({ path }: Printed): string => execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })

/** Dots for an inch of the picture. */
const resolution = 300

/** What a scanner reads where each code of the first page is. */
function readCodes({
  path,
  job,
}: Printed): { readonly printed: string; readonly read: string; readonly format: string }[] {
  const sheet = composeSheet(job, JSON.parse(job.facts), new Pdf('en', undefined))
  const codes = sheet.pages[0]?.filter((mark): mark is Extract<Mark, { kind: 'code' }> => mark.kind === 'code') ?? []
  return codes.map(({ text, boxes }) => {
    const margin = 6
    const [left, top] = [Math.min(...boxes.map(([x]) => x)) - margin, Math.min(...boxes.map(([, y]) => y)) - margin]
    const right = Math.max(...boxes.map(([x, , width]) => x + width)) + margin
    const bottom = Math.max(...boxes.map(([, y, , height]) => y + height)) + margin
    const pixels = (points: number): string => String(Math.max(0, Math.round((points * resolution) / 72)))
    const picture = join(folder, `${Math.random()}`)
    const part = ['-x', pixels(left), '-y', pixels(top), '-W', pixels(right - left), '-H', pixels(bottom - top)]
    execFileSync('pdftoppm', ['-r', String(resolution), '-l', '1', '-png', '-singlefile', ...part, path, picture])
    const output = execFileSync('ZXingReader', [`${picture}.png`], { encoding: 'utf8' })
    return {
      printed: text,
      read: /^Text:\s+"(.*)"$/m.exec(output)?.[1] ?? output,
      format: /^Format:\s+(.*)$/m.exec(output)?.[1] ?? '',
    }
  })
}

function assertRead(codes: ReturnType<typeof readCodes>, count: number): void {
  assert.equal(codes.length, count)
  for (const code of codes) assert.equal(code.read, code.printed)
}

test('the text of every language is found again, with 500 lines, in its order', async () => {
  for (const [language, title] of [
    ['en', 'Order confirmation'],
    ['de', 'Auftragsbestätigung'],
    ['ru', 'Подтверждение заказа'],
  ] as const) {
    const found = textOf(await printed('order-confirmation', saleToPrint(500), { language }))
    for (const one of [
      title,
      'Стол дубовый «Классика»',
      'Τραπέζι δρύινο',
      'Łóżko dębowe 160 × 200',
      longName.slice(0, 40),
    ])
      assert.ok(found.includes(one), one)
    const skus = [...found.matchAll(/SKU-(\d+)/g)].map(([, number]) => Number(number))
    assert.deepEqual(
      skus,
      Array.from({ length: 500 }, (_, at) => 1000 + at),
    )
  }
})

test('no price is on a packing slip or a job sheet', async () => {
  for (const paper of [await printed('packing-slip', slipToPrint(50)), await printed('job-sheet', jobToPrint(50))])
    assert.doesNotMatch(textOf(paper), /€|EUR|Price|Total|\d\.\d\d\b(?!\d)/)
})

test('the barcodes of a packing slip and of a job sheet are read back', async () => {
  const codes = readCodes(await printed('packing-slip', slipToPrint(8)))
  assertRead(codes, 6)
  assert.deepEqual([...new Set(codes.map(({ format }) => format))].toSorted(), ['Code128', 'EAN-13', 'QRCode'])
  assertRead(readCodes(await printed('job-sheet', jobToPrint(3))), 1)
})

test('the codes of labels are read back from every sheet', async () => {
  const counts = new Map([1, 2, 3].map((id) => [id, 1]))
  const items = { ...itemsToLabel, items: itemsToLabel.items.slice(0, 3) }
  for (const sheet of labelSheetNames)
    for (const code of [undefined, 'code128', 'qr'] as const) {
      const labels = { counts, sheet, code, first: 1 }
      assertRead(readCodes(await printed('labels', items, { labels })), sheet === 'roll-62' ? 1 : 3)
    }
})
