// The roles to choose from, least last.

import { words } from '../words.ts'

export const roles = (['owner', 'manager', 'worker'] as const).map((value) => ({
  value,
  label: words.access.roles[value],
}))
