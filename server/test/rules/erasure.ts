// The rules of erasing a person, as the clients of the API see them.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const erasureRules: readonly Rule[] = under('erasure', {
  events:
    'A record whose notes an erasure changes has an event and a new version: an edit with the version read before is refused',
  'external-ids':
    'An erasure deletes the external ids of the person, and those of other records that contain something of the person; these records have an event',
  again: 'An erasure that is run again changes nothing but the record of the person, and has no other event',
})
