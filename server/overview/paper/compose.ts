// Composes a paper from its facts, and writes it as PDF. Runs in a thread.

import { Pdf } from '../../platform/paper/pdf.ts'
import { mm, type Pen, paperSizes, type Sheet } from '../../platform/paper/sheet.ts'
import type { PrintedFile } from '../../platform/requests/papers.ts'
import { formatsFor, languageOf, paperSizeOf } from './formats.ts'
import type {
  CompanyFacts,
  JobFacts,
  LabelFacts,
  PaperJob,
  PurchaseFacts,
  QuoteFacts,
  SaleFacts,
  SlipFacts,
} from './job.ts'
import { composeLabels } from './labels.ts'
import type { Paper } from './letter.ts'
import { composeOrderConfirmation, composePurchaseOrder, composeQuote } from './orders.ts'
import { composeJobSheet, composePackingSlip } from './slips.ts'
import { textsOf } from './texts.ts'

type Facts = { readonly company: CompanyFacts }

export async function printPaper(job: PaperJob): Promise<PrintedFile> {
  const { draftTax } = job
  const facts: Facts = { ...JSON.parse(job.facts), ...(draftTax === undefined ? {} : { tax: draftTax }) }
  const language = languageOf(job.options.language, facts.company)
  const pdf = new Pdf(language, job.logo)
  const sheet = composeSheet(job, facts, pdf)
  return { name: `${sheet.title}.pdf`, content: await pdf.write(sheet) }
}

/** The pages, without writing them. */
export function composeSheet({ kind, options }: Pick<PaperJob, 'kind' | 'options'>, facts: Facts, pen: Pen): Sheet {
  const { company } = facts
  const language = languageOf(options.language, company)
  const paper: Paper = { pen, company, formats: formatsFor(language, company), texts: textsOf[language] }
  const author = company.legal_name || company.name
  if (kind === 'labels') {
    if (options.labels === undefined) throw new Error('labels have no options')
    const { title, pages, size } = composeLabels(facts as LabelFacts, options.labels, paper)
    return { width: mm(size.width), height: mm(size.height), pages, title, author }
  }
  const composed =
    kind === 'quote'
      ? composeQuote(facts as QuoteFacts, paper)
      : kind === 'order-confirmation'
        ? composeOrderConfirmation(facts as SaleFacts, paper)
        : kind === 'purchase-order'
          ? composePurchaseOrder(facts as PurchaseFacts, paper)
          : kind === 'packing-slip'
            ? composePackingSlip(facts as SlipFacts, paper)
            : composeJobSheet(facts as JobFacts, paper)
  return { ...paperSizes[paperSizeOf(company)], ...composed, author }
}
