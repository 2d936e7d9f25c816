// Judges a measurement of time. It is repeated before it fails, and it is undecided, which is neither passed nor failed, when the machine was busy with
// other work each time.

import { AssertionError } from 'node:assert'
import type { TestContext } from 'node:test'
import { isBusy, measureStolen, useByOthers } from '../../../campaign/idle-machine.ts'
import { undecidedPrefix } from '../runner/outcome.ts'

const attempts = 3

/** `measure` fails an assertion when the figures are not as they should be. */
export async function measured(context: TestContext, measure: () => Promise<void> | void): Promise<void> {
  const failures: { readonly error: AssertionError; readonly share: number }[] = []
  while (failures.length < attempts) {
    const before = await useByOthers()
    const stolen = measureStolen()
    try {
      await measure()
      return
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error
      const share = Math.max(before, stolen())
      failures.push({ error, share })
      context.diagnostic(`attempt ${failures.length}, others used ${percent(share)}: ${error.message}`)
    }
  }
  const fair = failures.find(({ share }) => !isBusy(share))
  if (fair !== undefined) throw fair.error
  const shares = failures.map(({ share }) => percent(share)).join(', ')
  context.skip(`${undecidedPrefix}: other work used ${shares} of the processors. ${failures[0]?.error.message}`)
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
