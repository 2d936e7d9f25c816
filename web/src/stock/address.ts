// The address of the page that explains an item's stock figures.

type Of = { readonly id: number; readonly storage_id?: number | null | undefined }

/** `/stock/items/7?storage_id=2&date=2026-03-14&tab=reserved` */
export function itemAddress(
  { id, storage_id: storage }: Of,
  about: { date?: string; tab?: string | undefined } = {},
): string {
  const params = new URLSearchParams()
  if (storage) params.set('storage_id', String(storage))
  if (about.date) params.set('date', about.date)
  if (about.tab) params.set('tab', about.tab)
  const query = params.toString()
  return `/stock/items/${id}${query ? `?${query}` : ''}`
}
