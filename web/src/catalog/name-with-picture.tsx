// The name of an item in a list, after a small picture of it.

import classes from './name-with-picture.module.css'

/** `picture` is the last part of its address. */
export function NameWithPicture({ name, picture }: { readonly name: string; readonly picture: string }) {
  return (
    <span className={classes['item']}>
      <img src={`/screens/files/${picture}/small`} alt="" width={26} height={26} loading="lazy" />
      <span>{name}</span>
    </span>
  )
}
