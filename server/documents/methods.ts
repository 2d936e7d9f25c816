// The write methods of a kind of document, declared from its specification: its fields, its decisions and its effect on stock.
// (Sales declare theirs individually, because their texts and order are specified exactly.)
// Long because the four methods of a document are declared side by side.

import { z } from 'zod'
import { insertParty, type PlannedParty, partyEvents } from '../contacts/party.ts'
import { type RequestContext, type TransactionContext, withRelated } from '../kernel/clock.ts'
import { code, date, required } from '../kernel/field.ts'
import { type Method, type Role, type WriteMethod, type Written, write } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Statement } from '../kernel/statement.ts'
import {
  deleteExternalIds,
  type IdentityFacts,
  identityFacts,
  planExternalId,
  writeExternalId,
} from '../platform/lists/external-ids.ts'
import {
  editedKeySchema,
  findByExternalId,
  type RecordKey,
  readNewExternalId,
  readRecordKey,
  recordKeyRefusals,
  recordKeySchema,
} from '../platform/lists/record-key.ts'
import {
  externalInput,
  type Given,
  idField,
  missing,
  wordFor,
  wordWithArticle,
} from '../platform/lists/record-methods.ts'
import { Items } from '../stock/items.ts'
import {
  type Change,
  type DocumentKind,
  type Present,
  planChange,
  type StockDocument,
  skipTakenNumbers,
  withExternalId,
} from './document.ts'
import type { DocumentFacts, NamedFacts, Names } from './facts.ts'
import { dateRefusal, idSchema, statusRefusals } from './fields.ts'
import { tooLargeRefusal } from './limits.ts'
import type { Skipped } from './lines.ts'
import { skippedResponse, skippedSchema } from './skipped.ts'
import type { DocumentSpec } from './spec.ts'

type Planned<D, Facts> = {
  readonly change: Change<D>
  readonly party: PlannedParty | undefined
  readonly facts: Facts
  readonly skipped?: readonly Skipped[]
}

/** What the write methods of a kind of document share. */
type Shared<Input, D extends StockDocument, Facts extends NamedFacts, Extra extends object> = {
  readonly spec: DocumentSpec<Input, D, Facts, Extra>
  readonly role: Role
  /** The name of its id in requests and responses. */
  readonly field: string
  readonly factsOf: (context: RequestContext, id: number, names: Names<Extra>) => Statement<Facts>
  /** Loads the document or refuses. */
  readonly load: (facts: Facts) => Present<D>
  readonly write: (plan: Planned<D, Facts>, transaction: TransactionContext) => Written | undefined
}

export function documentWrites<
  Input,
  D extends StockDocument,
  Facts extends NamedFacts & Partial<DocumentFacts<object, object>>,
  Extra extends object = object,
>(spec: DocumentSpec<Input, D, Facts, Extra>): readonly Method[] {
  const { rules, store, role = 'manager' } = spec
  const { kind } = rules
  const shared: Shared<Input, D, Facts, Extra> = {
    spec,
    role,
    field: idField(kind),
    factsOf: (context, id, names) => store.facts(context, id, names) as Statement as Statement<Facts>,
    load: (facts) => spec.load(facts) ?? refuse(missing(kind), { code: 'record_not_found' }),
    write: ({ change, party, facts }, transaction) => {
      if (Object.keys(change.diff).length === 0) return undefined
      const related = spec.relatedStatements?.(change, facts, transaction) ?? []
      const made = spec.party === undefined ? [] : insertParty(spec.party, party, transaction)
      const externalIds =
        change.after === undefined
          ? deleteExternalIds(kind.noun, change.id, transaction)
          : writeExternalId(kind.noun, change.id, change.externalId, transaction)
      const madeEvents = spec.party === undefined ? [] : partyEvents(spec.party, party)
      const events = [...madeEvents, ...(spec.relatedEvents?.(change) ?? [])]
      const own = store.write(rules, change, withRelated(transaction, events), facts.longest_run ?? null)
      return {
        statements: [
          ...(change.after === undefined ? [...related, ...own] : [...made, ...own, ...related]),
          ...externalIds,
        ],
        event: { record: kind.noun, recordId: change.id, change: change.diff },
        related: events,
      }
    },
  }
  return [
    addMethod(shared),
    editMethod(shared),
    deleteMethod(shared),
    ...(spec.status === undefined ? [] : [statusMethod(shared, spec.status)]),
  ]
}

/** The role for one input, where the specification has such a rule. */
const roleOf = <Input, I extends Given<Input>>(roleFor: ((input: Input) => Role) | undefined): RoleFor<I> =>
  roleFor === undefined ? {} : { roleFor: ({ given }) => roleFor(given) }
type RoleFor<I> = { readonly roleFor?: (input: I) => Role }

function addMethod<Input, D extends StockDocument, Facts extends NamedFacts, Extra extends object>({
  spec,
  role,
  field,
  write: written,
}: Shared<Input, D, Facts, Extra>): WriteMethod<Given<Input>, Facts, Planned<D, Facts>> {
  const { kind } = spec.rules
  const external = externalInput(kind)
  return write({
    path: `${kind.section}/add`,
    role,
    ...roleOf<Input, Given<Input>>(spec.roleFor),
    summary: `Create ${wordWithArticle(kind)}.`,
    ...(spec.notes === undefined ? {} : { notes: spec.notes }),
    input: {
      schema: z.object({ ...spec.addSchema, ...external.schema }),
      read: (raw) => ({ given: spec.read(raw, true), externalId: external.read(raw) }),
    },
    output: z.object({
      [field]: z.int().describe(`Id of the new ${wordFor(kind)}.`),
      ...(spec.skipsLines === true ? skippedSchema : {}),
    }),
    refusals: [...spec.refusals.add, ...external.refusals],
    conflicts: external.conflicts,
    example: { request: spec.example.add, response: { success: true, [field]: 1 } },
    facts: ({ given }, context) => spec.store.factsOfNew(context, spec.names(given)) as Statement as Statement<Facts>,
    moreFacts: ({ externalId }, context) => identityFacts(context, kind.noun, null, { externalId }),
    plan: ({ given, externalId }, facts: Facts & IdentityFacts, transaction): Planned<D, Facts> => {
      const items = new Items(facts)
      const id = transaction.ids.last(kind.counter) + 1
      skipTakenNumbers(kind, facts.free_number, transaction)
      const { document, party, skipped = [] } = spec.settle(given, undefined, facts, items, transaction, id)
      const change = planChange(spec.rules, undefined, document, items, transaction)
      const planned = withExternalId(change, planExternalId(kind.noun, externalId, facts, id))
      transaction.ids.next(kind.counter)
      return { change: planned, party, facts, skipped }
    },
    write: written,
    response: ({ change, skipped = [] }) => ({ [field]: change.id, ...skippedResponse(skipped) }),
  })
}

const ownId = (kind: DocumentKind) => idSchema.describe(`Id of the ${wordFor(kind)}.`)
const keyInput = (kind: DocumentKind) => recordKeySchema(idField(kind), ownId(kind), kind.noun)

function editMethod<Input, D extends StockDocument, Facts extends NamedFacts, Extra extends object>({
  spec,
  role,
  field,
  factsOf,
  load,
  write: written,
}: Shared<Input, D, Facts, Extra>): WriteMethod<RecordKey & Given<Input>, Facts, Planned<D, Facts>> {
  const { kind } = spec.rules
  const external = externalInput(kind)
  return write({
    path: `${kind.section}/edit`,
    role,
    ...roleOf<Input, RecordKey & Given<Input>>(spec.roleFor),
    summary: `Change ${wordWithArticle(kind)}.`,
    notes: ['Only the fields that are passed change; lines are replaced as a whole. The effect on stock is updated.'],
    input: {
      schema: z.object({ ...editedKeySchema(field, ownId(kind), kind.noun), ...spec.editSchema }),
      read: (raw) => {
        const key = readRecordKey(raw, field, kind.noun)
        return { ...key, given: spec.read(raw, false), externalId: readNewExternalId(raw, key, kind.noun) }
      },
    },
    output: z.object(spec.skipsLines === true ? skippedSchema : {}),
    refusals: [`No ${field} in input`, missing(kind), ...spec.refusals.edit, ...external.refusals],
    conflicts: external.conflicts,
    example: { request: { [field]: 1, ...spec.example.edit }, response: { success: true } },
    find: findByExternalId(kind.noun),
    facts: ({ id, given }, context) => factsOf(context, id, { ...spec.names(given), moves: true }),
    moreFacts: ({ id, externalId }, context) => identityFacts(context, kind.noun, id, { externalId }),
    plan: ({ id, given, externalId }, facts: Facts & IdentityFacts, transaction): Planned<D, Facts> => {
      const before = load(facts)
      const items = new Items(facts)
      const { document, party, skipped = [] } = spec.settle(given, before.document, facts, items, transaction, id)
      const change = planChange(spec.rules, before, document, items, transaction)
      const planned = withExternalId(change, planExternalId(kind.noun, externalId, facts, id))
      return { change: planned, party, facts, skipped }
    },
    write: written,
    response: ({ skipped = [] }) => skippedResponse(skipped),
  })
}

function deleteMethod<Input, D extends StockDocument, Facts extends NamedFacts, Extra extends object>({
  spec: { rules },
  role,
  field,
  factsOf,
  load,
  write: written,
}: Shared<Input, D, Facts, Extra>): WriteMethod<RecordKey, Facts, Planned<D, Facts>> {
  const { kind } = rules
  return write({
    path: `${kind.section}/delete`,
    whenFull: 'always',
    role,
    summary: `Delete ${wordWithArticle(kind)}.`,
    notes: ['This cannot be undone. Its effect on stock is reversed exactly.'],
    input: { schema: z.object(keyInput(kind)), read: (raw) => readRecordKey(raw, field, kind.noun) },
    output: z.object({}),
    refusals: [`No ${field} in input`, missing(kind), tooLargeRefusal, ...recordKeyRefusals(kind.noun)],
    example: { request: { [field]: 1 }, response: { success: true } },
    find: findByExternalId(kind.noun),
    facts: ({ id }, context) => factsOf(context, id, {}),
    plan: (_input, facts, transaction): Planned<D, Facts> => {
      const change = planChange(rules, load(facts), undefined, new Items(facts), transaction)
      return { change, party: undefined, facts }
    },
    write: written,
    response: () => ({}),
  })
}

function statusMethod<Input, D extends StockDocument, Facts extends NamedFacts, Extra extends object>(
  { spec: { rules }, field, factsOf, load, write: written }: Shared<Input, D, Facts, Extra>,
  status: NonNullable<DocumentSpec<Input, D, Facts, Extra>['status']>,
): Method {
  const { kind } = rules
  const [none, invalid] = statusRefusals(status.settable)
  const dated = status.date
  return write({
    path: `${kind.section}/update_status`,
    role: 'worker',
    summary: `Change the status of ${wordWithArticle(kind)}.`,
    notes: ['Changing back from a status with an effect reverses the effect exactly.', ...status.notes],
    input: {
      schema: z.object({
        ...keyInput(kind),
        status: z.int().describe(`One of ${status.settable.join(', ')}.`),
        ...(dated === undefined
          ? {}
          : {
              [dated.field]: z
                .string()
                .optional()
                .describe(`Day of the effect, \`YYYY-MM-DD\`; used with status ${dated.with} only.`),
            }),
      }),
      read: (raw) => {
        const key = readRecordKey(raw, field, kind.noun)
        const wanted = code(required(raw, 'status'), status.settable, invalid)
        const day = dated !== undefined && dated.with === wanted ? date(raw, dated.field) : undefined
        return { ...key, wanted, day }
      },
    },
    output: z.object({}),
    refusals: [
      `No ${field} in input`,
      none,
      invalid,
      ...(dated === undefined ? [] : [dateRefusal]),
      missing(kind),
      tooLargeRefusal,
      ...recordKeyRefusals(kind.noun),
    ],
    example: { request: { [field]: 1, status: 3 }, response: { success: true } },
    find: findByExternalId(kind.noun),
    facts: ({ id }, context) => factsOf(context, id, {}),
    plan: ({ wanted, day }, facts: Facts, transaction): Planned<D, Facts> => {
      const before = load(facts)
      const items = new Items(facts)
      const after = status.apply(before.document, wanted, day, facts, items)
      return { change: planChange(rules, before, after, items, transaction), party: undefined, facts }
    },
    write: written,
    response: () => ({}),
  })
}

/** The day of an effect: from the request, else the document's own date, else its present effective day, else today. */
export const effectiveDay = (
  given: string | undefined,
  own: string | null,
  present: string | null,
  today: string,
): string => given ?? own ?? present ?? today
