// Prints a document: the language, for labels also the sheet and the quantity, and then a preview in another tab or a file.

import { Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { messages } from '../messages.ts'
import { companyOfPage } from '../server/call.ts'
import {
  type LabelChoice,
  labelSheets,
  maxLabels,
  type Printable,
  parametersOf,
  printAddress,
  type SheetName,
} from './print-address.ts'
import { LanguageSelect, languageParameter, ofCompany, type PrintLanguage } from './print-language.tsx'

export type { Printable } from './print-address.ts'

const texts = messages.print

export function openPrintDialog(print: Printable): void {
  modals.open({ title: print.label, children: <PrintDialog print={print} /> })
}

function PrintDialog({ print }: { readonly print: Printable }) {
  const [language, setLanguage] = useState<PrintLanguage>(ofCompany)
  const [labels, setLabels] = useState<LabelChoice>({ count: 1, sheet: 'a4-3x8', code: 'auto', first: 1 })
  const own =
    print.kind === 'labels'
      ? parametersOf(print.items, labels)
      : 'id' in print
        ? { id: `${print.id}` }
        : print.parameters
  // Ids count per company: the address names it, because another tab may switch to another one.
  const parameters = { ...own, ...languageParameter(language), company: companyOfPage() }
  return (
    <Stack gap="sm">
      {print.kind === 'labels' ? (
        <LabelFields labels={labels} change={(changed) => setLabels({ ...labels, ...changed })} />
      ) : (
        <LanguageSelect value={language} onChange={setLanguage} />
      )}
      <Group justify="flex-end" gap="xs" mt="xs">
        <Button
          component="a"
          variant="default"
          href={printAddress(print.kind, { ...parameters, download: '1' })}
          download
        >
          {texts.download}
        </Button>
        <Button component="a" href={printAddress(print.kind, parameters)} target="_blank" data-autofocus>
          {texts.preview}
        </Button>
      </Group>
    </Stack>
  )
}

type LabelProps = { readonly labels: LabelChoice; readonly change: (changed: Partial<LabelChoice>) => void }

function LabelFields({ labels, change }: LabelProps) {
  const perSheet = labelSheets[labels.sheet]
  const numberOf = (value: string | number, most: number): number =>
    Math.min(most, Math.max(1, Math.floor(Number(value)) || 1))
  return (
    <>
      <NumberInput
        label={texts.count}
        value={labels.count}
        min={1}
        max={maxLabels}
        allowDecimal={false}
        allowNegative={false}
        onChange={(value) => change({ count: numberOf(value, maxLabels) })}
      />
      <Select
        label={texts.sheet}
        data={(Object.keys(labelSheets) as SheetName[]).map((value) => ({ value, label: texts.sheets[value] }))}
        value={labels.sheet}
        allowDeselect={false}
        onChange={(value) => value !== null && change({ sheet: value as SheetName, first: 1 })}
      />
      <Select
        label={texts.code}
        data={(['auto', 'code128', 'qr'] as const).map((value) => ({ value, label: texts.codes[value] }))}
        value={labels.code}
        allowDeselect={false}
        onChange={(value) => value !== null && change({ code: value as LabelChoice['code'] })}
      />
      {perSheet > 1 && (
        <NumberInput
          label={texts.first}
          description={texts.firstHint}
          value={labels.first}
          min={1}
          max={perSheet}
          allowDecimal={false}
          allowNegative={false}
          onChange={(value) => change({ first: numberOf(value, perSheet) })}
        />
      )}
      <Text size="sm" c="dimmed">
        {texts.scale}
      </Text>
    </>
  )
}
