// Faults in the defences against a hostile company or an anonymous client: each removes one of them.
// Long because every fault is a table entry of several lines.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the search and replacement texts are source code.

import type { Planted } from './fault.ts'

const caughtBy = 'hostile'
const attack = (name: string) => ({ KONTOR_ATTACK: name })
/** The normal company is kept waiting. */
const delayed = /normal company/

export const faultsOfHostility: readonly Planted[] = [
  {
    name: 'a list of ids has no limit, and each id is SQL text',
    patches: [
      { file: 'server/kernel/filters.ts', find: 'const maxIds = 1000', replace: 'const maxIds = 1_000_000_000' },
      {
        file: 'server/platform/postgres/json-sql.ts',
        find: "return `'{${value.join(',')}}'::bigint[]`",
        replace: "return `array[${value.join(', ')}]::bigint[]`",
      },
    ],
    caughtBy,
    env: attack('lists of a million ids'),
  },
  {
    name: 'a body may contain any number of values',
    patches: [
      { file: 'server/kernel/json.ts', find: 'const maxValues = 200_000', replace: 'const maxValues = 1_000_000_000' },
    ],
    caughtBy,
    env: attack('bodies of millions of values, from a company'),
  },
  {
    name: 'the objects of a body may have any number of different fields',
    patches: [
      {
        file: 'server/kernel/json.ts',
        find: 'const maxSequences = 20_000',
        replace: 'const maxSequences = 1_000_000_000',
      },
    ],
    caughtBy: 'server/test/conformance/request/body-size.test.ts',
  },
  {
    name: 'an anonymous client may send a body of the full size',
    patches: [
      {
        file: 'server/platform/process/config.ts',
        find: 'export const maxAnonymousBodyBytes = 16 * 1024',
        replace: 'export const maxAnonymousBodyBytes = maxBodyBytes',
      },
      { file: 'server/kernel/json.ts', find: 'const maxValues = 200_000', replace: 'const maxValues = 1_000_000_000' },
    ],
    caughtBy,
    env: attack('bodies of millions of values, from an anonymous client'),
  },
  {
    name: 'a request takes its slot before its body is read',
    patches: [
      {
        file: 'server/platform/requests/public-api.ts',
        find: 'const body = isRead ? await request.body(owner.company_id, maxBodyBytes) : unreadBody',
        replace:
          'const body = isRead ? await this.#admission.run(owner.company_id, () => request.body(owner.company_id, maxBodyBytes)) : unreadBody',
      },
      {
        file: 'server/platform/requests/bodies.ts',
        find: 'const maxArriving = { company: 32, network: 16 } as const',
        replace: 'const maxArriving = { company: 3_200, network: 1_600 } as const',
      },
      {
        file: 'server/platform/postgres/queue.ts',
        find: 'mine >= this.#maxOfCompany) return false',
        replace: 'mine < 0) return false',
      },
    ],
    caughtBy,
    env: attack('half-sent bodies of a company beside half-sent sign-ins'),
  },
  {
    name: 'one company may occupy every slot for whole lists, however slowly it reads',
    patches: [
      {
        file: 'server/platform/postgres/database.ts',
        find: '    maxOfCompany: 1,\n',
        replace: '    maxOfCompany: 100,\n',
      },
      {
        file: 'server/platform/postgres/list-readers.ts',
        find: '  check(nowMs: number): void {\n',
        replace: '  check(nowMs: number): void {\n    if (nowMs > 0) return\n',
      },
      {
        file: 'server/platform/requests/list-stream.ts',
        find: 'const maxShortRows = 500',
        replace: 'const maxShortRows = 0',
      },
    ],
    caughtBy,
    env: attack('slow readers of endless lists'),
  },
  {
    name: 'one company may use every connection',
    patches: [
      {
        file: 'server/platform/postgres/shares.ts',
        find: 'this.#maxOfCompany = maxOfCompany',
        replace: 'this.#maxOfCompany = maxOfCompany + size',
      },
    ],
    caughtBy: 'server/platform/postgres/shares.test.ts',
  },
  {
    name: 'an item may have any number of suppliers, codes and components',
    patches: [
      {
        file: 'server/catalog/item.ts',
        find: 'export const maxOf = { alt_skus: 100, barcodes: 100, categories: 100, suppliers: 100, components: 1000 } as const',
        replace:
          'export const maxOf = { alt_skus: 1e9, barcodes: 1e9, categories: 1e9, suppliers: 1e9, components: 1e9 } as const',
      },
    ],
    caughtBy: 'server/catalog/limits.test.ts',
  },
  {
    name: 'at the limit of connections new ones are refused',
    patches: [
      {
        file: 'server/platform/http/connections.ts',
        find: 'const [unused] = (this.#unusedUnknown.size > 0 ? this.#unusedUnknown : this.#unusedKnown).keys()',
        replace: 'const unused = [this.#unusedUnknown, this.#unusedKnown].length === 0 ? socket : undefined',
      },
    ],
    caughtBy,
    env: attack('thousands of silent connections'),
  },
  {
    name: 'refused attempts count against the account',
    patches: [
      {
        file: 'server/access/attempts.ts',
        find: '  for (const one of limits) {\n',
        replace: '  for (const one of limits.toReversed()) {\n',
      },
    ],
    caughtBy,
    env: attack('a flood of sign-ins and sign-ups'),
  },
  {
    name: 'requests that were started and timed out are not counted',
    patches: [
      {
        file: 'server/platform/requests/quota.ts',
        find: '  if (quota === undefined || !isUndone(error)) return\n',
        replace: '  if (quota === undefined || isUndone(error)) return\n',
      },
    ],
    caughtBy,
    env: attack('requests that run out of their time'),
  },
  {
    name: 'quantities of a tree of components multiply without limit',
    patches: [
      {
        file: 'server/overview/items/tree.ts',
        find: 'const limited = (value: Value): Value => (value > largest ? largest : value)',
        replace: 'const limited = (value: Value): Value => (value === largest ? largest : value)',
      },
      { file: 'server/overview/items/tree.ts', find: 'const maxDepth = 20', replace: 'const maxDepth = 100_000' },
      {
        file: 'server/kernel/decimal.ts',
        find: '  if (places === 0) return text\n',
        replace: "  if (places >= 0) return text.includes('.') ? text.replace(/\\.?0+$/, '') : text\n",
      },
    ],
    caughtBy,
    env: attack('cards of endless chains of components, by one company'),
    showing: delayed,
  },
  {
    name: 'everything below a product is searched for each record of a batch',
    patches: [
      {
        file: 'server/catalog/upsert.ts',
        find: '    if (this.#uses[wanted] === 0) return false\n',
        replace: `    const below = new Set(items.map((item) => this.#indexOf(item)))
    for (const item of below) for (const part of this.#partsOf(item)) below.add(part)
    if (below.size > 0) return below.has(wanted)
`,
      },
    ],
    caughtBy: 'server/catalog/composition.timed.test.ts',
  },
  {
    name: 'companies whose requests take long leave no connection to the others',
    patches: [
      {
        file: 'server/platform/postgres/shares.ts',
        find: "(cost !== 'short' && !this.#hasRoomForLong(cost))",
        replace: "(cost !== 'short' && !this.#hasRoomForLong(cost) && held > this.#size)",
      },
      {
        file: 'server/platform/postgres/shares.ts',
        find: 'this.#reserve = size === 1 ? 0 : Math.max(1, Math.floor(size / 4))',
        replace: 'this.#reserve = 0',
      },
    ],
    caughtBy,
    env: attack('searches in long texts, by ten companies'),
    showing: /normal company.* (answered 503|refused)/,
  },
  {
    name: 'a text is copied to measure it',
    patches: [
      {
        file: 'server/kernel/field.ts',
        find: '  if (value.length > 2 * max) return true\n',
        replace: '  if ([...value].length > max) return true\n',
      },
    ],
    caughtBy,
    env: attack('texts of eight mebibytes, by one company'),
    showing: delayed,
  },
  {
    name: 'what a key may not do is refused after its query',
    patches: [
      {
        file: 'server/platform/requests/public-request.ts',
        find: '    if (!this.#request.isForeign && !this.#isAllowed(method)) await this.#refuseByScope()\n',
        replace: '',
      },
    ],
    caughtBy,
    env: attack('searches with keys that may not search, by one company'),
    showing: /whose other keys are refused failed|were counted for a company/,
  },
  {
    name: 'a malformed request without an address is an error of the server',
    patches: [
      {
        file: 'server/platform/http/http-parts.ts',
        find: "const addressOf = (request: FastifyRequest): string => request.ip ?? ''",
        replace: 'const addressOf = (request: FastifyRequest): string => request.ip',
      },
    ],
    caughtBy,
    env: attack('malformed chunks, by one company'),
    showing: /the metrics count|the log has/,
  },
  {
    name: 'all shipments of a sale are searched for each of its items',
    patches: [
      {
        file: 'server/sales/sale.ts',
        find: '    const left = shippedOf.get(itemId) ?? []\n',
        replace: '    const left = [...shippedOf.values()].flat().filter((shipped) => shipped.itemId === itemId)\n',
      },
    ],
    caughtBy: 'server/sales/sale.timed.test.ts',
  },
  {
    name: 'large writes are planned beside all other requests',
    patches: [
      {
        file: 'server/platform/requests/planning-thread.ts',
        find: 'const defaultLargeLength = 32 * 1024',
        replace: 'const defaultLargeLength = 1024 * 1024 * 1024',
      },
    ],
    caughtBy,
    env: attack('changes of a sale with many shipments, by ten companies'),
    showing: delayed,
  },
  {
    name: 'the characters of a text are counted in a copy',
    patches: [
      {
        file: 'server/kernel/field.ts',
        find: '  if (value.length <= max) return false\n  if (value.length > 2 * max) return true\n',
        replace: '  if ([...value].length <= max) return false\n',
      },
    ],
    caughtBy: 'blocking',
    env: { KONTOR_METHOD: 'customers/upsert' },
    showing: /held the event loop/,
  },
]
