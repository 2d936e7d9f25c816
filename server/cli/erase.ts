// kontor customer erase, supplier erase and user erase: removes everything that identifies a person.

import { auditCompany } from '../audit.ts'
import { readConfig } from '../platform/process/config.ts'
import { CannotErase, erasePerson, findPerson, type PersonKind } from '../tenants/erasure.ts'
import { asOwner } from '../tenants/owner.ts'
import { type Command, companyOption, options, UsageError } from './command.ts'
import { confirmed } from './company-delete.ts'

const eraseCommand = (kind: PersonKind): Command => ({
  words: [kind, 'erase'],
  usage: `${kind} erase --company ID --${kind} ID [--text T] [--confirm NAME]`,
  summary: `Erase what identifies a ${kind}, everywhere`,
  help: `Overwrites the fields of the ${kind}, and removes its name, email, phone and addresses from notes, events, stored responses and the request log. Documents, their
numbers and the ledger are kept. It cannot be undone. docs/guides/privacy.md says what is searched and what is not.
  --company ID     the company
  --${kind} ID${' '.repeat(10 - kind.length)}the ${kind}, which may be deleted already
  --text T         another text to search for, such as a second spelling of the name; can be repeated
  --confirm NAME   the name of the ${kind}, exactly; without it, the command asks for the name
  --json           print one JSON line: the number of changed rows by table`,
  run: async (rest) => {
    const { values } = options(rest, {
      company: { type: 'string' },
      [kind]: { type: 'string' },
      text: { type: 'string', multiple: true, default: [] },
      confirm: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    const companyId = companyOption(values['company'] as string | undefined)
    const person = { kind, id: personOption(kind, values[kind]) }
    const url = readConfig(process.env).DATABASE_URL
    const changed = await asOwner(url, async (client) => {
      const name = await findPerson(client, companyId, person)
      if (name === undefined) throw new UsageError(`company ${companyId} has no ${kind} ${person.id}`)
      const question = `${kind} ${person.id} is called ${JSON.stringify(name)}. Type the name to erase it: `
      await confirmed(values['confirm'] as string | undefined, name, question)
      try {
        return await erasePerson(client, companyId, person, values['text'] as string[])
      } catch (error) {
        throw error instanceof CannotErase ? new UsageError(error.message) : error
      }
    })
    const broken = await auditCompany(url, companyId)
    const rows = Object.entries(changed).map(([table, count]) => `${table} ${count}`)
    if (values['json'] === true) console.log(JSON.stringify(changed))
    else console.log(`The ${kind} is erased. Changed rows: ${rows.join(', ')}.`)
    if (broken.length === 0) console.error('kontor: all invariants of the company hold')
    else console.error(`kontor: ${broken.length} invariants are broken: run "kontor audit --company ${companyId}"`)
    return broken.length === 0 ? 0 : 1
  },
})

function personOption(kind: PersonKind, value: unknown): number {
  const id = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : 0
  if (!Number.isSafeInteger(id) || id <= 0) throw new UsageError(`--${kind} must be the id of a ${kind}`)
  return id
}

export const erase: readonly Command[] = (['customer', 'supplier', 'user'] as const).map(eraseCommand)
