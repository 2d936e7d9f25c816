// Shown until a response is there: skeletons, or why it could not be loaded.

import { LoadError } from './load-error.tsx'
import { Skeletons } from './skeletons.tsx'

type Props = {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown }
  /** How many skeletons. */
  readonly rows: number
}

export function Waiting({ query, rows }: Props) {
  return query.error ? <LoadError error={query.error} again={() => void query.refetch()} /> : <Skeletons rows={rows} />
}
