// The addresses of stored files. The content of an address never changes, so the browser keeps it.

type Stored = { readonly id: number; readonly tag: string }

export const fileAddress = ({ id, tag }: Stored): string => `/screens/files/${id}-${tag}`
export const thumbnailAddress = (file: Stored): string => `${fileAddress(file)}/small`
