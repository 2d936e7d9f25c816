// Fields of a request or response as a table; nested fields follow their parent, indented.

import { Code, Table, Text } from '@mantine/core'
import { messages } from '../messages.ts'
import type { Schema } from './openapi.ts'
import classes from './settings.module.css'
import { withCode } from './with-code.tsx'

const texts = messages.reference

type Row = {
  readonly key: string
  readonly name: string
  readonly depth: number
  readonly schema: Schema
  readonly isRequired: boolean
}

function rowsOf(schema: Schema, depth = 0, above = ''): Row[] {
  const inner = schema.properties === undefined && schema.items ? schema.items : schema
  return Object.entries(inner.properties ?? {}).flatMap(([name, of]) => {
    const key = `${above}.${name}`
    const isRequired = inner.required?.includes(name) ?? false
    return [{ key, name, depth, schema: of, isRequired }, ...rowsOf(of, depth + 1, key)]
  })
}

export function typeName(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(texts.types.or)
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeName))].join(texts.types.or)
  if (schema.items) return texts.types.array(typeName(schema.items))
  if (Array.isArray(schema.type)) return schema.type.join(texts.types.or)
  return typeof schema.type === 'string' ? schema.type : texts.types.any
}

export function FieldTable(props: { schema: Schema; label: string; withRequired?: boolean }) {
  const { schema, label, withRequired = false } = props
  return (
    <Table.ScrollContainer minWidth={520} type="native" tabIndex={0} role="region" aria-label={label}>
      <Table className={classes['table'] ?? ''} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="28%">{texts.field}</Table.Th>
            <Table.Th w="24%">{texts.type}</Table.Th>
            <Table.Th>{texts.meaning}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rowsOf(schema).map((row) => (
            <Table.Tr key={row.key}>
              <Table.Td pl={8 + row.depth * 16}>
                <Code>{row.name}</Code>{' '}
                {withRequired && row.isRequired && (
                  <Text span size="xs" c="dimmed">
                    {texts.required}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{typeName(row.schema)}</Table.Td>
              <Table.Td>{withCode(row.schema.description ?? '')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
