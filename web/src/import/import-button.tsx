// The button of a list that leads to the import of its records.

import { IconUpload } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { ToolButton } from '../kit/tool-button.tsx'
import { messages } from '../messages.ts'
import type { Choice } from './fields.ts'

export function ImportButton({ of }: { of: Choice }) {
  const navigate = useNavigate()
  return (
    <ToolButton label={messages.imports.open} icon={IconUpload} onClick={() => void navigate(`/import?of=${of}`)} />
  )
}
