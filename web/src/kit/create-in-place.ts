// Records that are created where they are typed, such as the supplier of a purchase: a form that needs them is saved after them.

import { notifyError } from './notify.tsx'

const running = new Set<Promise<void>>()

export function createInPlace(create: () => Promise<void>): void {
  const work = create()
    .catch(notifyError)
    .finally(() => running.delete(work))
  running.add(work)
}

export async function allCreated(): Promise<void> {
  await Promise.all(running)
}
