// Text of the reference with the parts between backticks shown as code.

import { Code } from '@mantine/core'
import type { ReactNode } from 'react'

export const withCode = (text: string): ReactNode[] =>
  text.split('`').map((part, at) => {
    const key = `${at} ${part}`
    return at % 2 === 1 ? <Code key={key}>{part}</Code> : part
  })
