// Loads the file of a screen when its address is opened. Without a connection the present screen stays, and the other one opens as soon as
// the server answers again. Files that are gone because a new version was installed are replaced by loading the whole page once.

type Surroundings = {
  /** Whether the server answers. */
  readonly isServed: () => Promise<boolean>
  /** Loads the whole page at the address being opened; false if that was done before, so that it does not happen for ever. */
  readonly reload: () => boolean
  readonly setOffline: (isOffline: boolean) => void
  readonly wait: () => Promise<void>
}

export async function loadScreen<Screen>(load: () => Promise<Screen>, around: Surroundings): Promise<Screen> {
  for (;;) {
    try {
      const screen = await load()
      around.setOffline(false)
      return screen
    } catch (error) {
      if (!(await around.isServed())) {
        around.setOffline(true)
        await around.wait()
        continue
      }
      // The connection may have come back between the two requests.
      const again = await load().catch(() => undefined)
      if (again !== undefined) {
        around.setOffline(false)
        return again
      }
      if (!around.reload()) throw error
      // The page is about to be replaced.
      return await new Promise<never>(() => {})
    }
  }
}
