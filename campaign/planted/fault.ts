// The type of an injected fault: a name, the change to the source, and the test that must fail.

export type Patch = {
  /** A file of the repository. */
  readonly file: string
  /** Must occur exactly once in the file: a patch that no longer fits is an error. */
  readonly find: string
  readonly replace: string
}

export type Planted = {
  readonly name: string
  readonly patches: readonly Patch[]
  /** The name of a campaign test, or a test file. */
  readonly caughtBy: string
  /** The expected finding, where the test could fail for another reason, such as a slow machine. */
  readonly showing?: RegExp
  /** More runs than the short form, for a fault that rarely shows. */
  readonly runs?: number
  /** Environment of the test: selects the part that tests this fault. */
  readonly env?: Readonly<Record<string, string>>
}

/** The text with the fault in it. */
export function patched(text: string, { file, find, replace }: Patch): string {
  const pieces = text.split(find)
  if (pieces.length !== 2) throw new Error(`${file} contains this ${pieces.length - 1} times instead of once:\n${find}`)
  return pieces.join(replace)
}
