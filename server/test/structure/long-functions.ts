// Functions that may be longer than the limit, by file. Remove an entry when its function is split: the test reports unnecessary entries.

export type LongFunctions = Readonly<Record<string, readonly string[]>>

/** A parser whose readers, each of a few lines, share one position in the text. */
const parsers: LongFunctions = {
  'server/kernel/exact-json.ts': ['parseJson'],
}

/** Setups and measuring tools that are one sequence of steps; they are not part of the service. */
const tools: LongFunctions = {
  'bench/scenarios.ts': ['kindsOf'],
  'bench/wire.ts': ['tapWire'],
  'campaign/crash/connection.ts': ['run'],
  'campaign/overload/open-loop.ts': ['openLoop'],
  'server/test/conformance/worked-example.test.ts': ['runExample'],
  'server/test/contract/world.ts': ['makeRecords'],
  'server/test/harness/loaded-catalog.ts': ['loadProducts'],
  'server/test/harness/wire-tap.ts': ['tapWire'],
}

export const longFunctions: LongFunctions = { ...parsers, ...tools }
