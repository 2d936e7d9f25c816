// The built-in API reference: every public method, with a search and the company's own examples.

import { Anchor, NavLink, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useKey } from '../kit/keys.tsx'
import { LoadError } from '../kit/load-error.tsx'
import { usePage } from '../kit/page.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import { CodeBlock } from './code-block.tsx'
import { curlOf } from './curl.ts'
import { type Method, useDocument } from './openapi.ts'
import classes from './reference.module.css'
import { MethodPage } from './reference-method.tsx'

const texts = messages.reference

const sectionName = (section: string): string => (texts.sections as Record<string, string>)[section] ?? section

export function Component() {
  const { section, method: name } = useParams()
  const document = useDocument()
  const path = section === undefined ? undefined : `${section}/${name}`
  usePage({
    title: path ?? texts.title,
    crumbs: [
      { label: messages.settings.title, to: '/settings' },
      ...(path === undefined ? [] : [{ label: texts.title, to: '/settings/reference' }]),
    ],
  })
  if (document.data === undefined)
    return document.error ? (
      <LoadError error={document.error} again={() => void document.refetch()} />
    ) : (
      <Skeletons rows={12} />
    )
  const { methods } = document.data
  const method = methods.find((one) => one.path === path)
  return (
    <div className={classes['reference']}>
      <MethodList methods={methods} path={path} />
      <div className={classes['page']}>
        {method === undefined ? <Introduction /> : <MethodPage key={method.path} method={method} />}
      </div>
    </div>
  )
}

function MethodList({ methods, path }: { methods: readonly Method[]; path: string | undefined }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [field, setField] = useState<HTMLInputElement | null>(null)
  useKey('/', texts.search, () => field?.focus())
  const searchText = typed.trim().toLowerCase()
  const found = methods.filter(
    (one) =>
      one.path.includes(searchText) ||
      one.summary.toLowerCase().includes(searchText) ||
      sectionName(one.section).toLowerCase().includes(searchText),
  )
  const sections = [...Map.groupBy(found, ({ section }) => section)]
  return (
    <>
      <Select
        hiddenFrom="lg"
        searchable
        placeholder={texts.search}
        aria-label={texts.search}
        data={methods.map((one) => one.path)}
        value={path ?? null}
        onChange={(to) => to && void navigate(`/settings/reference/${to}`)}
      />
      <nav aria-label={texts.title} className={classes['list']}>
        <TextInput
          ref={setField}
          size="xs"
          type="search"
          placeholder={`${texts.search} ( / )`}
          aria-label={texts.search}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            const first = found[0]
            if (event.key === 'Enter' && first) void navigate(`/settings/reference/${first.path}`)
          }}
        />
        {sections.map(([section, ofIt]) => (
          <div key={section}>
            <Text size="xs" c="dimmed" fw={500} mt="sm" mb={2}>
              {sectionName(section)}
            </Text>
            {ofIt.map((one) => (
              <NavLink
                key={one.path}
                component={Link}
                to={`/settings/reference/${one.path}`}
                label={one.path}
                active={one.path === path}
                aria-current={one.path === path ? 'page' : undefined}
                className={classes['method']}
              />
            ))}
          </div>
        ))}
        {sections.length === 0 && (
          <Text size="sm" c="dimmed" mt="sm">
            {texts.none}
          </Text>
        )}
      </nav>
    </>
  )
}

function Introduction() {
  const isOwner = useMay('owner')
  return (
    <Stack gap="sm" maw={720}>
      <Title order={1}>{texts.title}</Title>
      <Text>{texts.intro}</Text>
      <Text>{texts.introKey}</Text>
      <CodeBlock label={texts.introKey} text={`${texts.keySet}\n${curlOf('products/get_list', '{"limit":1}')}`} />
      {isOwner && (
        <Anchor component={Link} to="/settings/integrations" size="sm">
          {texts.toKeys}
        </Anchor>
      )}
      <Text>{texts.introPick}</Text>
      <Anchor href="/openapi.json" target="_blank" rel="noreferrer" size="sm">
        {texts.openapi}
      </Anchor>
    </Stack>
  )
}
