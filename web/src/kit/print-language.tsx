// The language of one document: that of the company, or another one.

import { Select } from '@mantine/core'
import { type Language, languages } from '../language.ts'
import { messages } from '../messages.ts'

const texts = messages.print

export const ofCompany = 'company'
export type PrintLanguage = Language | typeof ofCompany

export const languageParameter = (language: PrintLanguage): { readonly language?: Language } =>
  language === ofCompany ? {} : { language }

type Props = { readonly value: PrintLanguage; readonly onChange: (value: PrintLanguage) => void }

export const LanguageSelect = ({ value, onChange }: Props) => (
  <Select
    label={texts.language}
    data={[
      { value: ofCompany, label: texts.ofCompany },
      ...Object.entries(languages).map(([of, label]) => ({ value: of, label })),
    ]}
    value={value}
    allowDeselect={false}
    onChange={(chosen) => onChange((chosen ?? ofCompany) as PrintLanguage)}
  />
)
