// A customer or supplier as a document shows it, with its current data.

import { allShownOf, type Fields, integerField, textField } from '../platform/lists/record-fields.ts'
import { type ContactKind, contactFields, fieldMeaning } from './contact.ts'

export const partyJoin = ({ section, noun }: ContactKind): string =>
  `join ${section} u on u.company_id = :company_id and u.id = d.${noun}_id`

export const partyFields = ({ noun }: ContactKind): Fields => ({
  [`${noun}_id`]: integerField(`d.${noun}_id`, `Id of the ${noun}.`),
  ...allShownOf([noun], {
    [`${noun}_name`]: textField('u.name', `Name of the ${noun}, as it is now (like the fields below).`, 'Oak & Sons'),
    ...Object.fromEntries(
      contactFields.map((field) => [`${noun}_${field}`, textField(`u.${field}`, fieldMeaning[field])]),
    ),
  }),
})
