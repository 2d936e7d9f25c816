// The pages of a list.

import { Pagination } from '@mantine/core'
import { messages } from '../messages.ts'

type Props = {
  readonly total: number
  readonly limit: number
  readonly page: number
  readonly onChange: (page: number) => void
}

/** Not shown when all rows fit on one page. */
export function Pager({ total, limit, page, onChange }: Props) {
  const pages = Math.ceil(total / limit)
  if (pages < 2) return null
  return (
    <Pagination
      mt="sm"
      total={pages}
      value={Math.min(page, pages)}
      onChange={onChange}
      aria-label={messages.kit.list.pages}
    />
  )
}
