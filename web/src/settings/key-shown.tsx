// A new key, shown only once, with the next steps.

import { Alert, Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { messages } from '../messages.ts'
import { CodeBlock } from './code-block.tsx'
import { curlOf } from './curl.ts'

const texts = messages.settings.integrations

export function KeyShown({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <Modal
      opened
      size="lg"
      title={texts.keyTitle}
      onClose={onClose}
      // An accidental click must not lose what is shown only once.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Alert color="yellow" variant="outline" title={texts.keyOnce} />
        <CodeBlock label={texts.keyField} text={apiKey} />
        <Text size="sm" fw={500}>
          {texts.keyTry}
        </Text>
        <CodeBlock
          label={texts.keyTry}
          text={`export KONTOR_KEY=${apiKey}\n${curlOf('products/get_list', '{"limit":1}')}`}
        />
        <Group justify="space-between">
          <Anchor component={Link} to="/settings/reference" size="sm">
            {texts.seeReference}
          </Anchor>
          <Button onClick={onClose}>{texts.keyDone}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
