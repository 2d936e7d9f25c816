// A new key, shown only once, with the next steps.

import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { messages } from '../messages.ts'
import { CodeBlock } from './code-block.tsx'
import { curlOf } from './curl.ts'
import { ShownOnce } from './shown-once.tsx'

const texts = messages.settings.integrations

export function KeyShown({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <ShownOnce
      title={texts.keyTitle}
      warning={texts.keyOnce}
      label={texts.keyField}
      secret={apiKey}
      done={texts.keyDone}
      onClose={onClose}
      link={
        <Anchor component={Link} to="/settings/reference" size="sm">
          {texts.seeReference}
        </Anchor>
      }
    >
      <Text size="sm" fw={500}>
        {texts.keyTry}
      </Text>
      <CodeBlock
        label={texts.keyTry}
        text={`export KONTOR_KEY=${apiKey}\n${curlOf('products/get_list', '{"limit":1}')}`}
      />
    </ShownOnce>
  )
}
