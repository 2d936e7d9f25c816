// Code with a copy button.

import { Button, Code, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { messages } from '../messages.ts'
import classes from './settings.module.css'

const texts = messages.settings

export function CopyIt({ text, label = texts.copy }: { text: string; label?: string }) {
  return (
    <CopyButton value={text} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="compact-xs"
          aria-live="polite"
          leftSection={copied ? <IconCheck size={12} aria-hidden /> : <IconCopy size={12} aria-hidden />}
          onClick={copy}
        >
          {copied ? texts.copied : label}
        </Button>
      )}
    </CopyButton>
  )
}

export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes['code']}>
      <Code block tabIndex={0} role="region" aria-label={label}>
        {text}
      </Code>
      <div className={classes['copy']}>
        <CopyIt text={text} />
      </div>
    </div>
  )
}
