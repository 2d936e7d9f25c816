// The commands of the search: what can be created, the pages, the settings, and what the current page offers.

import { useNavigate } from 'react-router'
import { useKeys } from '../kit/keys.tsx'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import { settingsPages } from '../settings/pages.ts'
import { isForWorkers, pages } from './navigation.tsx'

export type Command = { readonly label: string; readonly run: () => void }

/** What can be created, and who may create it. */
const makers = [
  { label: messages.sales.add, to: '/sales/new', least: 'manager' },
  { label: messages.quotes.add, to: '/quotes/new', least: 'manager' },
  { label: messages.purchases.add, to: '/purchases/new', least: 'manager' },
  { label: messages.production.add, to: '/productions/new', least: 'manager' },
  { label: messages.catalog.kinds.product.add, to: '/products/new', least: 'manager' },
  { label: messages.catalog.kinds.material.add, to: '/materials/new', least: 'manager' },
  { label: messages.catalog.kinds.resource.add, to: '/resources/new', least: 'manager' },
  { label: messages.contacts.kinds.customer.add, to: '/customers/new', least: 'manager' },
  { label: messages.contacts.kinds.supplier.add, to: '/suppliers/new', least: 'manager' },
  { label: messages.stock.transfers.add, to: '/transfers/new', least: 'worker' },
  { label: messages.stock.writeoffs.add, to: '/write-offs/new', least: 'worker' },
  { label: messages.imports.title, to: '/import', least: 'manager' },
  { label: messages.audits.add, to: '/audits/count', least: 'worker' },
] as const

export function useCommands(more: readonly Command[]): Command[] {
  const navigate = useNavigate()
  const keys = useKeys()
  const may = { worker: true, manager: useMay('manager'), owner: useMay('owner') }
  const go = (to: string) => (): void => void navigate(to)
  const all = [
    ...keys.filter(({ label }) => label !== '').map(({ label, run }) => ({ label, run })),
    ...makers.filter(({ least }) => may[least]).map(({ label, to }) => ({ label, run: go(to) })),
    ...pages
      .filter((page) => may.manager || isForWorkers(page))
      .map(({ label, to }) => ({ label: messages.frame.goTo(label), run: go(to) })),
    ...settingsPages
      .filter(({ least }) => may[least])
      .map(({ label, to }) => ({ label: messages.frame.goToSetting(label), run: go(to) })),
    ...more,
  ]
  return [...new Map(all.map((command) => [command.label, command])).values()]
}

/** Every typed word occurs in the label, as "pur new" does in "New purchase". */
const isMatch = (label: string, typed: string): boolean =>
  typed.split(/\s+/).every((word) => label.toLowerCase().includes(word))

/** Full matches come first, then labels that start with the text. */
const matchRank = (label: string, typed: string): number =>
  Number(label.toLowerCase() === typed) + Number(label.toLowerCase().startsWith(typed))

const fewest = 3

/** The commands that match the typed text, best first, and whether they come before matching records. */
export function commandsFor(typed: string, all: readonly Command[]): { matching: Command[]; isCommand: boolean } {
  const text = typed.toLowerCase()
  const matching = all
    .filter(({ label }) => text === '' || isMatch(label, text))
    .toSorted((one, other) => matchRank(other.label, text) - matchRank(one.label, text))
    .slice(0, text === '' ? 20 : 6)
  // A command whose label starts with the text comes before matching records.
  const isCommand = text.length >= fewest && matching.some(({ label }) => label.toLowerCase().startsWith(text))
  return { matching, isCommand }
}
