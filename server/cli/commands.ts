// Where each subcommand is. Its file is loaded when the command is used, so that `kontor migrate` does not load the service.

import type { Command } from './command.ts'

export type CommandFile = {
  /** The first words of its commands. */
  readonly first: readonly string[]
  readonly load: () => Promise<readonly Command[]>
}

/** In the order of the overview. */
export const commandFiles: readonly CommandFile[] = [
  { first: ['serve'], load: async () => [(await import('./serve.ts')).serveCommand] },
  { first: ['demo'], load: async () => [(await import('./demo.ts')).demo] },
  { first: ['migrate'], load: async () => [(await import('./migrate.ts')).migrateCommand] },
  { first: ['maintain'], load: async () => [(await import('./maintain.ts')).maintain] },
  { first: ['company'], load: async () => (await import('./company.ts')).company },
  { first: ['key'], load: async () => (await import('./key.ts')).key },
  { first: ['user'], load: async () => (await import('./user.ts')).user },
  { first: ['webhook'], load: async () => (await import('./webhook.ts')).webhook },
  { first: ['mail'], load: async () => (await import('./mail.ts')).mail },
  { first: ['customer', 'supplier', 'user'], load: async () => (await import('./erase.ts')).erase },
  { first: ['clock'], load: async () => (await import('./clock.ts')).clock },
  { first: ['feed'], load: async () => [(await import('./feed.ts')).feed] },
  { first: ['doctor'], load: async () => [(await import('./doctor.ts')).doctor] },
  { first: ['audit'], load: async () => [(await import('./audit.ts')).audit] },
  { first: ['backup'], load: async () => [(await import('./backup.ts')).backup] },
  { first: ['config'], load: async () => [(await import('./config.ts')).configCheck] },
  { first: ['db'], load: async () => (await import('./db.ts')).db },
]

/** The commands of which `word` is the first; without a word, all of them. */
export async function loadCommands(word?: string): Promise<readonly Command[]> {
  const files = commandFiles.filter(({ first }) => word === undefined || first.includes(word))
  return (await Promise.all(files.map(({ load }) => load()))).flat()
}
