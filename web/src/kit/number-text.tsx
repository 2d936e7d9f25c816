// Shared logic of number inputs: formats the number in the locale, parses what is typed, and asks when the text
// is ambiguous or has too many decimals. Such text stays in the field as typed, and nothing can be saved until it is resolved.

import {
  type ClipboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { numberField } from '../format.ts'
import { messages } from '../messages.ts'
import {
  fieldText,
  hasSeveralCells,
  type NumberField,
  type NumberRead,
  numberIn,
  readNumber,
  shownNumber,
} from '../numbers.ts'
import classes from './number-text.module.css'
import { useOpenText } from './open-text.ts'

const texts = messages.kit.number

type Options = {
  readonly value: number
  readonly decimals: number
  /** Decimals that are always shown. */
  readonly least?: number | undefined
  readonly onChange: (value: number) => void
}

export type NumberText = {
  readonly input: {
    readonly ref: RefObject<HTMLInputElement | null>
    readonly value: string
    readonly inputMode: 'decimal'
    readonly autoComplete: 'off'
    readonly onFocus: () => void
    readonly onBlur: () => void
    readonly onChange: (event: { currentTarget: { value: string } }) => void
    readonly onPaste: (event: ClipboardEvent) => void
  }
  readonly isOpen: boolean
  /** The question or the error; undefined when the text is valid. */
  readonly problem: ReactNode
  /** Focuses the first answer; false when there is no question. */
  readonly toAnswer: () => boolean
}

export function useNumberText({ value, decimals, least, onChange }: Options): NumberText {
  const field = numberField(decimals, least)
  const [ref, answers] = [useRef<HTMLInputElement>(null), useRef<HTMLSpanElement>(null)]
  const [typed, setTyped] = useState<string>()
  const [isFocused, setFocused] = useState(false)
  /** The value before typing began: it is kept while the text is ambiguous. */
  const before = useRef(value)
  /** The last value set by this field; any other value comes from outside and takes precedence. */
  const given = useRef(value)
  const read: NumberRead = typed === undefined ? { is: 'number', text: '' } : readNumber(typed, field)
  const isOpen = read.is === 'unclear' || read.is === 'fine' || read.is === 'wrong'

  const give = (number: number): void => {
    if (number === given.current) return
    given.current = number
    onChange(number)
  }

  useEffect(() => {
    if (value === given.current) return
    given.current = value
    before.current = value
    setTyped(undefined)
  }, [value])

  useOpenText(ref, isOpen, () => setTyped(undefined))

  useSelected(ref, isFocused)

  const put = (text: string): void => {
    setTyped(text)
    give(numberIn(readNumber(text, field), field) ?? before.current)
  }

  const choose = (text: string): void => {
    setTyped(undefined)
    const number = numberIn({ is: 'number', text }, field)
    if (number !== undefined) give(number)
    ref.current?.focus()
  }

  return {
    input: {
      ref,
      value: typed ?? fieldText(value, field, !isFocused),
      inputMode: 'decimal',
      autoComplete: 'off',
      onFocus: () => {
        setFocused(true)
        if (typed === undefined) before.current = value
      },
      onBlur: () => {
        setFocused(false)
        if (!isOpen) setTyped(undefined)
      },
      onChange: (event) => put(event.currentTarget.value),
      onPaste: (event) => {
        const cells = pastedCells(event)
        if (cells !== undefined) put(cells)
      },
    },
    isOpen,
    problem: problemOf(read, field, isFocused, { ref: answers, choose }),
    toAnswer: () => {
      const answer = answers.current?.querySelector('button')
      answer?.focus()
      return answer !== null && answer !== undefined
    },
  }
}

/** The text of several pasted cells. Browsers would join them to one number: 1 and 234 become 1 234. */
export function pastedCells(event: ClipboardEvent): string | undefined {
  const text = event.clipboardData.getData('text').trim()
  if (!hasSeveralCells(text)) return undefined
  event.preventDefault()
  return text.replace(/\s*[\t\r\n\v\f]\s*/g, ' / ')
}

function problemOf(
  read: NumberRead,
  field: NumberField,
  isFocused: boolean,
  question: Pick<QuestionProps, 'ref' | 'choose'>,
): ReactNode {
  if (read.is === 'unclear' || read.is === 'fine') return <NumberQuestion read={read} field={field} {...question} />
  if (read.is === 'wrong' && !isFocused) return <span role="alert">{texts.wrong(shownNumber(1234.5, field))}</span>
  return undefined
}

/** Thousands separators are hidden while typing; the text is selected, so that typing replaces it. */
function useSelected(ref: RefObject<HTMLInputElement | null>, isFocused: boolean): void {
  useLayoutEffect(() => {
    if (isFocused) ref.current?.select()
  }, [isFocused, ref])
}

type QuestionProps = {
  readonly ref?: RefObject<HTMLSpanElement | null>
  readonly read: Extract<NumberRead, { is: 'unclear' | 'fine' }>
  readonly field: NumberField
  readonly choose: (text: string) => void
}

export function NumberQuestion({ ref, read, field, choose }: QuestionProps) {
  const answer = (text: string): ReactNode => (
    <button type="button" className={classes['answer']} onClick={() => choose(text)}>
      {shownNumber(Number(text), field)}
    </button>
  )
  return (
    <span {...(ref ? { ref } : {})} role="alert" className={classes['question']}>
      {read.is === 'fine' ? (
        <>
          {texts.tooFine(field.decimals)}{' '}
          <span className={classes['answers']}>
            {texts.use} {answer(read.rounded)}?
          </span>
        </>
      ) : (
        <>
          {texts.didYouMean}{' '}
          <span className={classes['answers']}>
            {answer(read.choices[0])} {texts.or} {answer(read.choices[1])}?
          </span>
        </>
      )}
    </span>
  )
}
