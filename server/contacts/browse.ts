// Browsing customers and suppliers, each with its trade figures.

import { z } from 'zod'
import { canceled } from '../kernel/document-statuses.ts'
import { browse, by, byKey, type Column, column } from '../platform/lists/browse.ts'
import { integer, nullable, number, text } from '../platform/postgres/json-sql.ts'
import { type ContactKind, contactMatches } from './contact.ts'

// Canceled documents do not count.
const traded = {
  customers: { table: 'sales', key: 'customer_id', title: 'sales' },
  suppliers: { table: 'purchases', key: 'supplier_id', title: 'purchases' },
} as const

const contactColumn = (field: string, meaning: string, example: string): Column =>
  column(text(`d.${field}`), z.string().describe(meaning), example, byKey(`d.${field} collate "C"`))

export function browseContacts(kind: ContactKind) {
  const { table, key, title } = traded[kind.section]
  return browse({
    section: kind.section,
    title: kind.section,
    name: `${kind.section}.browse`,
    notes: [`Canceled ${title} do not count.`],
    from: `${kind.section} d left join (
      select o.${key} as id, count(*) as documents, sum(o.total) as total, max(o.date_placed) as last_date
      from ${table} o where o.company_id = :company_id and o.status <> ${canceled} group by o.${key}) v on v.id = d.id`,
    where: 'd.company_id = :company_id and d.deleted_at is null',
    keys: ['d.id'],
    sort: ['name', 'asc'],
    ties: 'd.name_key, d.id',
    search: contactMatches('d'),
    filters: [],
    columns: {
      id: column(integer('d.id'), z.int().describe(`Id of the ${kind.noun}.`), 1),
      name: column(text('d.name'), z.string().describe('Name.'), 'Oak & Sons', byKey('d.name_key')),
      email: contactColumn('email', 'E-mail.', 'orders@oak.example'),
      phone: contactColumn('phone', 'Phone.', '+49 30 1234567'),
      manager_name: contactColumn('manager_name', 'Manager.', ''),
      documents: column(
        'coalesce(v.documents, 0)::text',
        z.int().describe(`Number of ${title}.`),
        1,
        byKey('coalesce(v.documents, 0)'),
      ),
      total: column(
        number('coalesce(v.total, 0)'),
        z.number().describe('Sum of their totals.'),
        523,
        byKey('coalesce(v.total, 0)'),
      ),
      last_date: column(
        nullable(text('v.last_date')),
        z.string().nullable().describe('Date of the latest one; null when there is none.'),
        '2026-03-12',
        by('v.last_date'),
      ),
    },
    totals: { total: { sum: 'v.total', meaning: 'Sum of the totals.', example: 523 } },
  })
}
