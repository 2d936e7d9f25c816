// The button with a printer: the documents that can be printed from a page, or sent by mail. Each opens a dialog.

import { ActionIcon, Menu } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { isMailable, type Mailable, MailDocument } from './mail-document.tsx'
import { openPrintDialog, type Printable } from './print-dialog.tsx'

const texts = messages.print

/** The items of a menu, and the dialog of the chosen one, which stays when the menu is closed. */
export function usePrintItems(prints: readonly Printable[]): { readonly items: ReactNode; readonly dialog: ReactNode } {
  const [mailed, setMailed] = useState<Mailable>()
  const mailable = prints.filter(isMailable)
  const enabled = mailable.length > 0
  const options = useMethod('session/get_options', {}, { enabled, staleMs: Number.POSITIVE_INFINITY })
  const items = (
    <>
      {prints.map((print) => (
        <Menu.Item key={print.label} onClick={() => openPrintDialog(print)}>
          {print.label}
        </Menu.Item>
      ))}
      {options.data?.sends_mails === true &&
        mailable.map((print) => (
          <Menu.Item key={`mail ${print.label}`} onClick={() => setMailed(print)}>
            {texts.byMail(print.label)}
          </Menu.Item>
        ))}
    </>
  )
  return { items, dialog: mailed !== undefined && <MailDocument print={mailed} onClose={() => setMailed(undefined)} /> }
}

/** Nothing without documents. */
export function PrintMenu({ prints }: { readonly prints: readonly Printable[] }) {
  const { items, dialog } = usePrintItems(prints)
  if (prints.length === 0) return null
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={texts.print} title={texts.print} variant="default">
            <IconPrinter size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>{items}</Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  )
}
