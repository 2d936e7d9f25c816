// What a planted fault is: a name, where the source is made wrong, and the test that must turn red.

export type Patch = {
  /** A file of the repository. */
  readonly file: string
  /** Must stand there exactly once: a patch that no longer fits is an error. */
  readonly find: string
  readonly replace: string
}

export type Planted = {
  readonly name: string
  readonly patches: readonly Patch[]
  /** A test of the campaign by its name, or a test file. */
  readonly caughtBy: string
  /** What the test must complain of, where it could be red for another reason: a machine that was too slow. */
  readonly showing?: RegExp
  /** More than the short form, where the fault shows seldom. */
  readonly runs?: number
}

/** The text with the fault in it. */
export function patched(text: string, { file, find, replace }: Patch): string {
  const pieces = text.split(find)
  if (pieces.length !== 2) throw new Error(`${file} holds this ${pieces.length - 1} times and not once:\n${find}`)
  return pieces.join(replace)
}
