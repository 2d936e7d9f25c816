// The actions in the head of a production's card: the usual next step first, the rest in the menu, by status and role.

import { confirmSaveEffect } from '../documents/actions.tsx'
import type { Action } from '../kit/action.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { canceled, done, planned, remove, setState, started } from './actions.tsx'
import type { ProductionCard } from './production.ts'

const texts = messages.production

type About = {
  readonly today: string
  readonly isDirty: boolean
  readonly isReadOnly: boolean
  readonly navigate: (to: string) => unknown
}

export function actionsOf(card: ProductionCard, about: About): { actions: Action[]; menu: Action[] } {
  const { today, isDirty, isReadOnly, navigate } = about
  const { production, missing } = card
  const { id, num, status } = production
  const disabled = isDirty ? texts.unsaved : undefined
  const to = (label: string, state: number): Action => ({
    label,
    run: () => setState({ id, num, status, missing }, state, today),
    disabled,
  })
  const next: Readonly<Record<number, Action[]>> = {
    [planned]: [to(texts.start, started), to(texts.finish, done)],
    [started]: [to(texts.finish, done)],
    [canceled]: [to(texts.plan, planned)],
  }
  const menu: Action[] = [
    ...(status === started || status === done ? [to(texts.plan, planned)] : []),
    ...(status === canceled ? [] : [to(messages.documents.cancel, canceled)]),
    ...(isReadOnly
      ? []
      : [
          {
            label: texts.byComponents,
            disabled,
            run: async () => {
              // Two empty arrays remove the recorded use: it is derived from the components again.
              const edit = { production_id: id, materials: [], resources: [] }
              await confirmSaveEffect('productions/edit', edit, messages.documents.saving(texts.one(num)))
              await mutate('productions/edit', edit)
            },
          },
          { label: messages.documents.copy, run: () => navigate(`/productions/new?copy=${id}`) },
          {
            label: messages.documents.delete,
            danger: true,
            run: async () => {
              if (await remove({ id, num, status })) navigateFreely(() => void navigate('/productions'))
            },
          },
        ]),
  ]
  return { actions: next[status] ?? [], menu }
}
