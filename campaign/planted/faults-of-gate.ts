// What is broken on purpose to see that the gate notices it.

import type { Patch } from './fault.ts'

export type Break = {
  readonly what: string
  readonly patch: Patch
  /** The test file that must fail, with options that select its tests. */
  readonly caughtBy: readonly [file: string, ...options: string[]]
}

/** Each is noticed by a test of the gate. */
export const breaks: readonly Break[] = [
  {
    what: 'the text of a rule',
    patch: {
      file: 'server/kernel/page.ts',
      find: "refuse('Offset requires limit',",
      replace: "refuse('Offset needs a limit',",
    },
    caughtBy: ['server/sales/orders/get_list.test.ts'],
  },
  {
    what: 'a sum',
    patch: {
      file: 'server/documents/document.ts',
      find: 'moneyText(subtotal + deliveryPrice - discount)',
      replace: 'moneyText(subtotal + deliveryPrice)',
    },
    caughtBy: ['server/test/conformance/worked-example.test.ts'],
  },
  {
    what: 'the lock of a company',
    patch: {
      file: 'server/platform/requests/company-clock.ts',
      find: 'where company_id = :company_id for no key update',
      replace: 'where company_id = :company_id',
    },
    caughtBy: ['campaign/sample.test.ts', '--test-name-pattern=^races'],
  },
  {
    what: 'the role that may call a method',
    patch: { file: 'server/access/settings/edit.ts', find: "role: 'owner',", replace: "role: 'worker'," },
    caughtBy: ['server/test/contract/screens.test.ts', '--test-name-pattern=declare that role'],
  },
  {
    what: 'a privilege of the server',
    patch: {
      file: 'server/platform/postgres/rights.ts',
      find: "  sign_ins: ['select', 'insert', 'delete'],",
      replace: "  sign_ins: ['select', 'insert'],",
    },
    caughtBy: ['server/access/users/users.test.ts'],
  },
  {
    what: 'a screen, which does not load',
    patch: {
      file: 'web/src/sales/sales-list.tsx',
      find: 'export function Component() {',
      replace: "export function Component() {\n  if (Date.now() > 0) throw new Error('broken')",
    },
    caughtBy: ['web/tests/sales.test.ts'],
  },
  {
    what: 'a request, which ends the process',
    patch: {
      file: 'server/sales/orders/update_payment.ts',
      find: 'facts: ({ id }, context) => factsOfSale(',
      replace:
        "facts: ({ id }, context) => void setImmediate(() => { throw new Error('broken') }) as never ?? factsOfSale(",
    },
    caughtBy: ['server/sales/orders/update_payment.test.ts'],
  },
  {
    what: 'an event, which is not written',
    patch: {
      file: 'server/platform/requests/company-clock.ts',
      find: 'return insertEvents(origin, rows)',
      replace: 'return insertEvents(origin, rows.slice(-1))',
    },
    caughtBy: ['server/access/events/own.test.ts'],
  },
  {
    what: 'a status code',
    patch: {
      file: 'server/platform/requests/public-request.ts',
      find: "new Refusal('Unknown method', { code: 'unknown_method' })",
      replace: "new Refusal('Unknown method', { code: 'malformed' })",
    },
    caughtBy: ['server/test/conformance/request/checks.test.ts'],
  },
]
