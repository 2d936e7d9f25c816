// Categories of products, materials and resources as trees with an editable order.

import { ActionIcon, Select, Tabs, TextInput, Title } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { deleteRecord } from '../documents/actions.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { Empty } from '../kit/list-parts.tsx'
import { LoadError } from '../kit/load-error.tsx'
import { notifyError } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { CurrentPageAction } from '../kit/page-action.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import { mutate, useMethod } from '../server/query.ts'
import { branches, type Category, moved, siblingsOf, withBelow } from './category-tree.ts'
import classes from './settings.module.css'
import { RowMenu } from './short-list.tsx'

const texts = messages.settings.categories
type Type = Category['type']
const types = Object.keys(texts.types) as Type[]

/** A category, or a new one below a parent. */
type Edited = { readonly category?: Category; readonly parentId: number | null }

export function Component() {
  const [params, setParams] = useSearchParams()
  const type = types.find((one) => one === params.get('type')) ?? 'products'
  const list = useMethod('categories/get_list', {})
  const [edited, setEdited] = useState<Edited>()
  usePage({
    title: messages.settings.places.categories,
    crumbs: [{ label: messages.settings.title, to: '/settings' }],
    action: { label: texts.add, run: () => setEdited({ parentId: null }) },
  })
  const all = (list.data?.categories ?? []).filter((one) => one.type === type)
  return (
    <div>
      <div className={classes['head']}>
        <Title order={1}>{messages.settings.places.categories}</Title>
        <CurrentPageAction />
      </div>
      <Tabs value={type} onChange={(to) => setParams(to && to !== 'products' ? { type: to } : {}, { replace: true })}>
        <Tabs.List mb="sm">
          {types.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {texts.types[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={type}>
          {list.data === undefined ? (
            list.error ? (
              <LoadError error={list.error} again={() => void list.refetch()} />
            ) : (
              <Skeletons rows={6} />
            )
          ) : all.length === 0 ? (
            <Empty
              text={texts.empty(texts.types[type])}
              action={{ label: texts.add, run: () => setEdited({ parentId: null }) }}
            />
          ) : (
            <Tree all={all} onEdit={setEdited} />
          )}
        </Tabs.Panel>
      </Tabs>
      {edited !== undefined && <Edit edited={edited} type={type} all={all} onClose={() => setEdited(undefined)} />}
    </div>
  )
}

function Tree({ all, onEdit }: { all: readonly Category[]; onEdit: (edited: Edited) => void }) {
  const [isMoving, setMoving] = useState(false)
  const move = async (category: Category, by: -1 | 1): Promise<void> => {
    if (isMoving) return
    setMoving(true)
    try {
      for (const { id, position } of moved(all, category, by))
        await mutate('categories/edit', { category_id: id, position })
    } catch (error) {
      notifyError(error)
    } finally {
      setMoving(false)
    }
  }
  return (
    <ul className={classes['tree']} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {branches(all).map(({ category, depth }) => {
        const row = siblingsOf(all, category.parent_id ?? null)
        return (
          <li key={category.id} className={classes['row']} style={{ paddingLeft: 8 + depth * 24 }}>
            <button
              type="button"
              className={classes['open']}
              style={{ marginRight: 'auto', overflowWrap: 'anywhere' }}
              onClick={() => onEdit({ category, parentId: category.parent_id })}
            >
              {category.name}
            </button>
            <ActionIcon
              aria-label={texts.up(category.name)}
              disabled={row[0]?.id === category.id}
              className={classes['arrow'] ?? ''}
              onClick={() => void move(category, -1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              aria-label={texts.down(category.name)}
              disabled={row.at(-1)?.id === category.id}
              className={classes['arrow'] ?? ''}
              onClick={() => void move(category, 1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
            <RowMenu
              label={messages.settings.more(category.name)}
              actions={[
                { label: messages.settings.edit, run: () => onEdit({ category, parentId: category.parent_id }) },
                { label: texts.addBelow, run: () => onEdit({ parentId: category.id }) },
                { label: messages.settings.delete, danger: true, run: () => remove(category) },
              ]}
            />
          </li>
        )
      })}
    </ul>
  )
}

const none = '0'

function Edit(props: { edited: Edited; type: Type; all: readonly Category[]; onClose: () => void }) {
  const { edited, type, all } = props
  const { category } = edited
  const own = category === undefined ? new Set<number>() : withBelow(all, category.id)
  const parents = branches(all).filter((one) => !own.has(one.category.id))
  return (
    <FormDialog
      title={category === undefined ? texts.add : texts.editTitle}
      label={messages.settings.save}
      start={{ name: category?.name ?? '', parent_id: String(edited.parentId ?? none) }}
      save={(values) => {
        const parentId = Number(values.parent_id)
        // A category with a new parent goes to the end of its siblings.
        const isNewThere = category === undefined || (category.parent_id ?? 0) !== parentId
        const place = isNewThere ? { position: (siblingsOf(all, parentId || null).at(-1)?.position ?? -1) + 1 } : {}
        const fields = { name: values.name, parent_id: parentId, ...place }
        return category === undefined
          ? mutate('categories/add', { ...fields, type })
          : mutate('categories/edit', { category_id: category.id, ...fields })
      }}
      onClose={props.onClose}
      fields={(form) => (
        <>
          <TextInput label={texts.name} required data-autofocus {...form.getInputProps('name')} />
          <Select
            label={texts.parent}
            allowDeselect={false}
            searchable
            data={[
              { value: none, label: texts.noParent },
              ...parents.map((one) => ({
                value: String(one.category.id),
                label: `${'– '.repeat(one.depth)}${one.category.name}`,
              })),
            ]}
            {...form.getInputProps('parent_id')}
          />
        </>
      )}
    />
  )
}

const remove = (one: Category): Promise<boolean> =>
  deleteRecord({
    path: 'categories/delete',
    input: { category_id: one.id },
    title: texts.deleteTitle(one.name),
    lead: texts.deletes(one.name),
    label: messages.settings.delete,
    done: texts.deleted(one.name),
  })
