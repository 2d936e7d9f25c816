// Text to read and take along: code with a button that copies it.

import { Button, Code, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { words } from '../words.ts'
import classes from './settings.module.css'

const said = words.settings

export function CopyIt({ text, label = said.copy }: { text: string; label?: string }) {
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
          {copied ? said.copied : label}
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
