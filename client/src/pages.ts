// A paged list as one sequence.

/** Asks for page after page until one is not full. Each page is a request of its own: the list may change between two of them. */
export async function* eachRecord<Item>(
  pageSize: number,
  page: (limit: number, offset: number) => Promise<readonly Item[]>,
): AsyncGenerator<Item, void, undefined> {
  for (let offset = 0; ; offset += pageSize) {
    const records = await page(pageSize, offset)
    yield* records
    if (records.length < pageSize) return
  }
}
