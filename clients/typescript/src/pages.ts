// A paged list as one sequence.

/** Requests page after page until one is not full. The list may change between two pages. */
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
