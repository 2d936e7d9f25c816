// The type of a campaign test: a name, what it demonstrates, the lengths of its two forms, and how to run it.

export type Options = {
  /** Number of faults, histories or requests: the unit of the test. */
  readonly runs: number
  /** All random numbers derive from it. */
  readonly seed: number
  /** The form that runs on every change: less of the same. */
  readonly short: boolean
  /** Whether durations are judged. The gate does not judge them: its machine may be busy. */
  readonly judgesTime: boolean
  /** Prints one line of progress. */
  readonly say: (line: string) => void
}

export type Outcome = {
  /** In the order in which they are printed. A figure that is not a count has its unit in its name or is a text. */
  readonly counts: Readonly<Record<string, number | string>>
  /** Every violation of a guarantee, one line each; none is the expected result. */
  readonly found: readonly string[]
  /** Why this machine cannot run the test; then there is no result. */
  readonly skipped?: string
}

export type Campaign = {
  readonly name: string
  /** What is done to the service, and what must hold: one sentence. */
  readonly about: string
  /** Its findings are durations: on a busy machine it is undecided. */
  readonly isMeasurement?: boolean
  readonly short: { readonly runs: number }
  /** The number of runs stated in the report. */
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
