// A field for a text of several lines, which is as high as its text.

import { Textarea, type TextareaProps } from '@mantine/core'
import classes from './text-area.module.css'

type Props = Omit<TextareaProps, 'autosize' | 'rows'> & {
  /** In lines of text. */
  readonly minRows: number
  readonly maxRows?: number
}

/** Where CSS cannot do it, Mantine measures the text after every key typed anywhere in the form, and the browser lays out the page twice. */
const growsByStyle = CSS.supports('field-sizing', 'content')

export function TextArea({ minRows, maxRows, ...rest }: Props) {
  if (!growsByStyle)
    return <Textarea autosize minRows={minRows} {...(maxRows === undefined ? {} : { maxRows })} {...rest} />
  const rows = { '--least': minRows, ...(maxRows === undefined ? {} : { '--most': maxRows }) }
  return <Textarea classNames={{ input: classes['growing'] ?? '' }} styles={{ input: rows }} {...rest} />
}
