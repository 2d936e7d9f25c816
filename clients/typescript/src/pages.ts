// A paged list as one sequence.

/** Requests page after page until one is not full. The list may change between two pages. After an abort it yields no further record. */
export async function* eachRecord<Item>(
  pageSize: number,
  page: (limit: number, offset: number) => Promise<readonly Item[]>,
  signal?: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  for (let offset = 0; ; offset += pageSize) {
    const records = await page(pageSize, offset)
    for (const record of records) {
      signal?.throwIfAborted()
      yield record
    }
    if (records.length < pageSize) return
  }
}
