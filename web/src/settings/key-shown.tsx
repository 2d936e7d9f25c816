// A new key, shown this once, with what to do next.

import { Alert, Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { words } from '../words.ts'
import { CodeBlock } from './code-block.tsx'
import { curlOf } from './curl.ts'

const said = words.settings.integrations

export function KeyShown({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <Modal
      opened
      size="lg"
      title={said.keyTitle}
      onClose={onClose}
      // A slip of the hand must not lose what is shown only once.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Alert color="yellow" variant="outline" title={said.keyOnce} />
        <CodeBlock label={said.keyField} text={apiKey} />
        <Text size="sm" fw={500}>
          {said.keyTry}
        </Text>
        <CodeBlock
          label={said.keyTry}
          text={`export KONTOR_KEY=${apiKey}\n${curlOf('products/get_list', '{"limit":1}')}`}
        />
        <Group justify="space-between">
          <Anchor component={Link} to="/settings/reference" size="sm">
            {said.seeReference}
          </Anchor>
          <Button onClick={onClose}>{said.keyDone}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
