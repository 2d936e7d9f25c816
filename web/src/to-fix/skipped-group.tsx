// One unknown SKU or id: the documents that wait for it, and its actions.

import { Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { day, money, quantity } from '../format.ts'
import { FormDialog } from '../kit/form-dialog.tsx'
import { NewItem } from '../kit/new-item.tsx'
import { notifyError } from '../kit/notify.tsx'
import { RecordSelect } from '../kit/record-select.tsx'
import { messages } from '../messages.ts'
import type { SkippedLinesGetListSkippedLines } from '../methods.ts'
import { assignLines, codeText, dismissLines } from './steps.ts'

const texts = messages.toFix

/** The pages of the documents. */
const pages = { order: 'sales', purchase: 'purchases' } as const

type Props = { readonly group: SkippedLinesGetListSkippedLines; readonly isClosed: boolean }

export function SkippedGroup({ group, isClosed }: Props) {
  const code = codeText(group)
  const rest = group.documents_count - group.documents.length
  return (
    <Paper component="section" withBorder p="md" aria-label={code}>
      <Stack gap="xs">
        <Group gap="xs">
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {code}
          </Title>
          <Badge variant="default" tt="none">
            {texts.kinds[group.type]}
          </Badge>
        </Group>
        <Text fz="sm">
          {texts.sum(group.sales_count, group.purchases_count, quantity(group.amount), money(group.total))}
        </Text>
        <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {group.documents.map((document, at) => (
            <span key={`${document.record} ${document.id}`}>
              {at > 0 && ' · '}
              <Anchor component={Link} to={`/${pages[document.record]}/${document.id}`} fz="sm" underline="always">
                {texts.document[document.record](document.num)}
              </Anchor>{' '}
              <Text span c="dimmed" fz="sm">
                {texts.ofDocument(document.contact_name, day(document.date_placed))}
              </Text>
            </span>
          ))}
          {rest > 0 && ` · ${texts.more(rest)}`}
        </Text>
        <Actions group={group} isClosed={isClosed} />
      </Stack>
    </Paper>
  )
}

function Actions({ group, isClosed }: Props) {
  const code = codeText(group)
  const [open, setOpen] = useState<'assign' | 'create'>()
  const [isRunning, setRunning] = useState(false)
  const run = (work: () => Promise<void>): void => {
    setRunning(true)
    work()
      .catch(notifyError)
      .finally(() => setRunning(false))
  }
  const close = (): void => setOpen(undefined)
  const { item_id: itemId, item_name: itemName } = group
  return (
    <>
      {itemId !== null && !isClosed && (
        <Text fz="sm">
          {texts.inCatalog}{' '}
          <Anchor component={Link} to={`/${group.type}s/${itemId}`} fz="sm" underline="always">
            {itemName}
          </Anchor>
        </Text>
      )}
      <Group gap="xs">
        {!isClosed && itemId !== null && (
          <Button loading={isRunning} onClick={() => run(() => assignLines(group, itemId))}>
            {texts.assignTo(itemName ?? '')}
          </Button>
        )}
        {!isClosed && itemId === null && (
          <>
            <Button aria-label={texts.assignOf(code)} onClick={() => setOpen('assign')}>
              {texts.assign}
            </Button>
            <Button variant="default" aria-label={texts.createOf(code)} onClick={() => setOpen('create')}>
              {texts.create}
            </Button>
          </>
        )}
        <Button
          variant="default"
          aria-label={texts.dismissOf(code)}
          loading={isRunning}
          onClick={() => run(() => dismissLines(group, isClosed))}
        >
          {texts.dismiss}
        </Button>
      </Group>
      {open === 'assign' && <AssignDialog group={group} onClose={close} />}
      {open === 'create' && (
        <NewItem
          typed=""
          sku={group.sku ?? ''}
          kinds={[group.type]}
          label={texts.createAndAssign}
          onClose={close}
          onMade={(item) => {
            close()
            run(() => assignLines(group, item.id))
          }}
        />
      )}
    </>
  )
}

function AssignDialog({ group, onClose }: { group: Props['group']; onClose: () => void }) {
  const start: { item_id: number | null } = { item_id: null }
  return (
    <FormDialog
      title={texts.assignTitle(codeText(group))}
      label={texts.assign}
      start={start}
      save={async ({ item_id: itemId }) => {
        if (itemId === null) throw new Error(texts.itemNeeded)
        await assignLines(group, itemId)
      }}
      onClose={onClose}
      fields={(form) => (
        <>
          <RecordSelect
            of="items"
            kinds={[group.type]}
            label={texts.item}
            data-autofocus
            error={form.errors['item_id']}
            value={form.values.item_id}
            onChange={(id) => form.setFieldValue('item_id', id)}
          />
          <Text fz="sm">
            {texts.effect(quantity(group.amount), group.sales_count, group.purchases_count)}{' '}
            {group.sku !== null && texts.learns[group.type]}
          </Text>
        </>
      )}
    />
  )
}
