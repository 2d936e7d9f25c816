// The effect of an action on stock, updated while its input is being typed; or why there is none.

import { Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { messages } from '../messages.ts'
import { type Effect, type Input, type Path, preview, textOf } from '../server/call.ts'
import { effectSentence, type IncomingVerb } from './effect-text.ts'

type Props<P extends Path> = {
  readonly path: P
  readonly input: Input<P>
  /** What the action does, without the effect on stock. */
  readonly lead: string
  /** Why there is nothing to preview yet. */
  readonly reason?: string | undefined
  readonly incoming?: IncomingVerb
}

export function EffectPreview<P extends Path>({ path, input, lead, reason, incoming }: Props<P>) {
  const current = JSON.stringify(input)
  const [debounced] = useDebouncedValue(current, 250)
  const [answer, setAnswer] = useState<{ to: string; effect?: Effect[]; error?: string }>()
  const isEnabled = reason === undefined
  useEffect(() => {
    if (!isEnabled) return
    let isOld = false
    void preview(path, JSON.parse(debounced) as Input<P>)
      .then(
        (effect) => ({ effect }),
        (failure: unknown) => ({ error: textOf(failure) }),
      )
      .then((result) => {
        if (!isOld) setAnswer({ to: debounced, ...result })
      })
    return () => {
      isOld = true
    }
  }, [path, debounced, isEnabled])
  if (reason !== undefined)
    return (
      <Text fz="sm" c="dimmed">
        {reason}
      </Text>
    )
  return (
    <div aria-live="polite">
      {answer?.to === current ? (
        <Text fz="sm">
          {answer.effect === undefined ? answer.error : effectSentence(lead, answer.effect, incoming)}
        </Text>
      ) : (
        <Skeleton height={19} aria-label={messages.kit.effect.asking} />
      )}
    </div>
  )
}
