// What an act would do to stock, told while one still types its input; or why it cannot be said.

import { Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { type Effect, type Input, type Path, preview, textOf } from '../server/call.ts'
import { words } from '../words.ts'
import { type Comes, effectSentence } from './effect-words.ts'

type Props<P extends Path> = {
  readonly path: P
  readonly input: Input<P>
  /** What the act does, without its end. */
  readonly lead: string
  /** Why there is nothing to ask about yet. */
  readonly reason?: string | undefined
  readonly comes?: Comes
}

export function EffectPreview<P extends Path>({ path, input, lead, reason, comes }: Props<P>) {
  const asked = JSON.stringify(input)
  const [settled] = useDebouncedValue(asked, 250)
  const [answer, setAnswer] = useState<{ to: string; effect?: Effect[]; error?: string }>()
  const isAsked = reason === undefined
  useEffect(() => {
    if (!isAsked) return
    let isOld = false
    void preview(path, JSON.parse(settled) as Input<P>)
      .then(
        (effect) => ({ effect }),
        (failure: unknown) => ({ error: textOf(failure) }),
      )
      .then((answered) => {
        if (!isOld) setAnswer({ to: settled, ...answered })
      })
    return () => {
      isOld = true
    }
  }, [path, settled, isAsked])
  if (reason !== undefined)
    return (
      <Text fz="sm" c="dimmed">
        {reason}
      </Text>
    )
  return (
    <div aria-live="polite">
      {answer?.to === asked ? (
        <Text fz="sm">{answer.effect === undefined ? answer.error : effectSentence(lead, answer.effect, comes)}</Text>
      ) : (
        <Skeleton height={19} aria-label={words.kit.effect.asking} />
      )}
    </div>
  )
}
