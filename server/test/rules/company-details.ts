// Rules of what a company prints on its documents.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const companyDetailRules: readonly Rule[] = under('company.details', {
  empty: 'a new company has no details and no logo',
  edit: 'each detail sent alone leaves all others unchanged; an empty text removes it; texts are trimmed',
  country:
    'a country is two letters by ISO 3166-1, also in small letters, or XK: `Invalid country value. Must be a two-letter code such as DE`',
  refused: 'a detail that is not a text, not valid text or too long is refused',
  events: 'a change of details or of the logo is an event of the company, and no change is none',
  roles: 'managers read the details, owners change them, workers see none of them',
  logo: 'a logo is served under its own address to users of the company, and replaced by a new one',
  'logo.delete': 'a deleted logo is neither named nor served, also when the storage limit is reached',
  'logo.refused':
    'a logo is a JPEG or PNG without metadata, at most 1,200 pixels wide and high and 512 kB; anything else is refused',
  company: 'the details and the logo of a company are seen by its own users only',
})
