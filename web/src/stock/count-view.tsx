// Which part of a count sheet is shown, and the controls above its items: scanning and searching, progress, options.

import { Button, Progress, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks'
import { IconBarcode } from '@tabler/icons-react'
import { type RefObject, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { choicesOf } from '../documents/states.tsx'
import { notifyError } from '../kit/notify.tsx'
import { ScanButton, type ScanHandlers } from '../kit/scan-button.tsx'
import { messages } from '../messages.ts'
import type { SheetItem } from './count-row.tsx'
import classes from './count-sheet.module.css'

const texts = messages.audits.sheet
type Cut = keyof typeof texts.cuts

/** Which part of the sheet is shown, and how. */
export function useView() {
  const [cut, setCut] = useState<Cut>('open')
  const [params] = useSearchParams()
  // A page of an item names it.
  const [typed, setTyped] = useState(params.get('find') ?? '')
  const [search] = useDebouncedValue(typed.trim(), 150)
  const [scanAdds, setScanAdds] = useLocalStorage({ key: 'kontor-count-scan-adds', defaultValue: false })
  const [showBooks, setShowBooks] = useLocalStorage({ key: 'kontor-count-books', defaultValue: false })
  /** Counted since the page was opened: they keep their position until another part of the sheet is shown. */
  const recent = useRef(new Set<number>())
  const show = (to: Cut): void => {
    recent.current.clear()
    setCut(to)
  }
  return { cut, show, typed, setTyped, search, scanAdds, setScanAdds, showBooks, setShowBooks, recent }
}

export type View = ReturnType<typeof useView>

type ScanFieldProps = {
  readonly view: View
  readonly field: RefObject<HTMLInputElement | null>
  readonly scan: () => Promise<void>
  /** Takes a code from the camera. */
  readonly onCode: ScanHandlers['onCode']
}

export function ScanField({ view, field, scan, onCode }: ScanFieldProps) {
  return (
    <TextInput
      ref={field}
      className={classes['search'] ?? ''}
      value={view.typed}
      placeholder={texts.search}
      aria-label={texts.search}
      leftSection={<IconBarcode size={20} aria-hidden />}
      rightSection={
        <ScanButton
          size="xl"
          onCode={onCode}
          onSearch={(code) => {
            view.setTyped(code)
            field.current?.focus()
          }}
        />
      }
      rightSectionWidth={48}
      enterKeyHint="search"
      autoComplete="off"
      onChange={(event) => view.setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        void scan().catch(notifyError)
      }}
    />
  )
}

type ProgressProps = {
  readonly audit: number | undefined
  readonly known: readonly SheetItem[]
  readonly isSaving: boolean
}

export function CountProgress({ audit, known, isSaving }: ProgressProps) {
  const done = known.filter(({ counted }) => counted !== undefined).length
  return (
    <Stack gap={4}>
      <Progress
        value={known.length === 0 ? 0 : (done / known.length) * 100}
        aria-label={texts.progress(done, known.length)}
      />
      <div className={classes['options']}>
        <Text size="sm" role="status">
          {texts.progress(done, known.length)}
          {isSaving && ` · ${texts.saving}`}
        </Text>
        {audit !== undefined && (
          <Button component={Link} to={`/audits/${audit}`} title={texts.reviewHint}>
            {texts.review}
          </Button>
        )}
      </div>
    </Stack>
  )
}

export function ViewOptions({ view }: { view: View }) {
  return (
    <div className={classes['options']}>
      <SegmentedControl
        size="xs"
        value={view.cut}
        onChange={(cut) => view.show(cut as Cut)}
        data={choicesOf(texts.cuts)}
      />
      <Switch
        size="xs"
        label={texts.scanAdds}
        checked={view.scanAdds}
        onChange={(event) => view.setScanAdds(event.currentTarget.checked)}
      />
      <Switch
        size="xs"
        label={texts.showBooks}
        checked={view.showBooks}
        onChange={(event) => view.setShowBooks(event.currentTarget.checked)}
      />
    </div>
  )
}

export function Nothing({ view: { search, cut }, isEmpty }: { view: View; isEmpty: boolean }) {
  const ofCut = cut === 'counted' ? texts.noneCounted : texts.noneOpen
  return (
    <Text c="dimmed" py="md">
      {search !== '' ? texts.nothing(search) : isEmpty ? texts.none : ofCut}
    </Text>
  )
}
