// The addresses of stored files. The content of an address never changes, so the browser keeps it.

type Stored = { readonly id: number; readonly tag: string }

const filesAddress = '/screens/files'
export const fileAddress = ({ id, tag }: Stored): string => `${filesAddress}/${id}-${tag}`
export const thumbnailAddress = (file: Stored): string => `${fileAddress(file)}/small`
/** Of a picture that a list names by the last part of its address. */
export const thumbnailOf = (picture: string): string => `${filesAddress}/${picture}/small`
/** Of a picture or the logo, by the last part of its address. */
export const namedAddress = (name: string): string => `${filesAddress}/${name}`
