// example_data/add: fill a company without items with a small workshop, through the methods' own rules. Requested twice, it is created once;
// interrupted, it is completed by the next request.

import { z } from 'zod'
import { type CompanyLanguage, companyLanguage, companyLanguages, languageRefusal } from '../../access/first-records.ts'
import { nameLength, text } from '../../kernel/field.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { type Begun, beginExamples, endExamples, hasItems } from './state.ts'
import { type Asker, requestIdOf, runPlain, runStep } from './steps.ts'
import { exampleTexts } from './texts.ts'
import { workshopSteps } from './workshop.ts'

export const addExampleData = {
  ...sessionMethod({
    path: 'example_data/add',
    summary: 'Add a small workshop to try things out.',
    notes: ['Only while the company has no items. Sent again, it adds nothing again. example_data/delete removes it.'],
    needsSession: true,
    input: {
      schema: z.object({
        language: z.enum(companyLanguages).optional().describe('Language of the names: en, de or ru. Default en.'),
      }),
      read: (raw) => ({ language: companyLanguage(text(raw, 'language', { max: nameLength, trim: true }) ?? 'en') }),
    },
    output: z.object({}),
    refusals: [hasItems, languageRefusal],
    example: { request: { language: 'en' }, response: { success: true } },
    run: async ({ language }: { readonly language: CompanyLanguage }, { session, requestId }, services) => {
      if (session === undefined) throw new Error('example_data/add requires a session')
      const { companyId, userId, settings } = session
      await fill({ services, companyId, userId, settings }, language, requestId)
      return { response: {} }
    },
  }),
  role: 'manager' as const,
}

async function fill(asker: Asker, language: CompanyLanguage, requestId: string): Promise<void> {
  const begun = await runPlain(asker, beginExamples, {}, requestId)
  const { from_seq, to_seq, storage_id, day } = begun as unknown as Begun
  if (to_seq !== null) return
  const made: Record<string, number> = { storage: storage_id }
  const ago = (days: number): string =>
    new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
  for (const { name, path, body } of workshopSteps(exampleTexts[language])) {
    const response = await runStep(asker, from_seq, path, body(made, { ago }), name)
    const id = Object.values(response).find((value) => typeof value === 'number')
    if (id !== undefined) made[name] = id
  }
  await runPlain(asker, endExamples, {}, requestIdOf(from_seq))
}
