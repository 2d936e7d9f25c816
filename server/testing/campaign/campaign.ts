// What a test of the campaign is: a name, what it shows, how long its two forms are, and a way to run it.

export type Options = {
  /** How many faults, histories or requests: what the test counts by. */
  readonly runs: number
  /** Everything random comes from it. */
  readonly seed: number
  /** The form for every change: less of the same, never something else. */
  readonly short: boolean
  /** One line to the person who waits. */
  readonly say: (line: string) => void
}

export type Outcome = {
  /** In the order they are told. A figure that is no count carries its unit in its name or is a text. */
  readonly counts: Readonly<Record<string, number | string>>
  /** Every breach of what is promised, one line each; none is what the test is for. */
  readonly found: readonly string[]
  /** Why this machine does not allow the test; then nothing was shown. */
  readonly skipped?: string
}

export type Campaign = {
  readonly name: string
  /** What is done to the service, and what must hold: one sentence. */
  readonly about: string
  readonly short: { readonly runs: number }
  /** As often as the report promises. */
  readonly long: { readonly runs: number }
  run(options: Options): Promise<Outcome>
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
