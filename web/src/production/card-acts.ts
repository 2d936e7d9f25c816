// What stands in the head of a production's card: the usual next step first, the rest in the menu, by its state and the person's role.

import { agreeToEffect } from '../documents/acts.tsx'
import type { Action } from '../kit/action.tsx'
import { letThrough } from '../kit/leave-guard.tsx'
import { act } from '../server/query.ts'
import { words } from '../words.ts'
import { canceled, done, planned, remove, setState, started } from './acts.tsx'
import type { Card } from './production.ts'

const said = words.production

type About = {
  readonly today: string
  readonly isDirty: boolean
  readonly isReadOnly: boolean
  readonly navigate: (to: string) => unknown
}

export function actsOf(card: Card, about: About): { actions: Action[]; menu: Action[] } {
  const { today, isDirty, isReadOnly, navigate } = about
  const { production, missing } = card
  const { id, num, status } = production
  const disabled = isDirty ? said.unsaved : undefined
  const to = (label: string, state: number): Action => ({
    label,
    run: () => setState({ id, num, status, missing }, state, today),
    disabled,
  })
  const next: Readonly<Record<number, Action[]>> = {
    [planned]: [to(said.start, started), to(said.finish, done)],
    [started]: [to(said.finish, done)],
    [canceled]: [to(said.plan, planned)],
  }
  const menu: Action[] = [
    ...(status === started || status === done ? [to(said.plan, planned)] : []),
    ...(status === canceled ? [] : [to(words.documents.cancel, canceled)]),
    ...(isReadOnly
      ? []
      : [
          {
            label: said.byComponents,
            disabled,
            run: async () => {
              // Two empty arrays tell no use: it follows from the components again.
              const edit = { production_id: id, materials: [], resources: [] }
              await agreeToEffect('productions/edit', edit, words.documents.saving(said.one(num)))
              await act('productions/edit', edit)
            },
          },
          { label: words.documents.copy, run: () => navigate(`/productions/new?copy=${id}`) },
          {
            label: words.documents.delete,
            danger: true,
            run: async () => {
              if (await remove({ id, num, status })) letThrough(() => void navigate('/productions'))
            },
          },
        ]),
  ]
  return { actions: next[status] ?? [], menu }
}
