// The name of an item in a list, after a small picture of it.

import { thumbnailOf } from './file-address.ts'
import classes from './name-with-picture.module.css'

/** `picture` is the last part of its address; null without one. */
export function NameWithPicture({ name, picture }: { readonly name: string; readonly picture: string | null }) {
  if (picture === null) return name
  return (
    <span className={classes['item']}>
      <img src={thumbnailOf(picture)} alt="" width={26} height={26} loading="lazy" />
      <span>{name}</span>
    </span>
  )
}
