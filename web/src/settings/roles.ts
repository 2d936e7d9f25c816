// The roles to choose from, lowest last.

import { messages } from '../messages.ts'

export const roles = (['owner', 'manager', 'worker'] as const).map((value) => ({
  value,
  label: messages.access.roles[value],
}))
