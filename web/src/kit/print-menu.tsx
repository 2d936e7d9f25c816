// The button with a printer: the documents that can be printed from a page. Each opens a dialog that shows it or saves it as a file.

import { ActionIcon, Menu } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { messages } from '../messages.ts'
import { openPrintDialog, type Printable } from './print-dialog.tsx'

/** Nothing without documents. */
export function PrintMenu({ prints }: { readonly prints: readonly Printable[] }) {
  if (prints.length === 0) return null
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={messages.print.print} title={messages.print.print} variant="default">
          <IconPrinter size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {prints.map((print) => (
          <Menu.Item key={print.label} onClick={() => openPrintDialog(print)}>
            {print.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
