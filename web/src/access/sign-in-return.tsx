// Where an identity provider sends users back to: completes the sign-in that this tab has begun.

import { Anchor, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { messages } from '../messages.ts'
import { nextAddress } from '../session.tsx'
import { AccessPage, unfinished } from './access-page.tsx'
import { SecondStep } from './second-step.tsx'
import { completeSignIn, goToProvider, pendingSignIn } from './single-sign-on.ts'

const texts = messages.access.singleSignOn

export function Component() {
  const { search } = useLocation()
  const [pending] = useState(pendingSignIn)
  /** Of a sign-in whose second factor is missing. */
  const [token, setToken] = useState<string>()
  const to = nextAddress(pending?.to ?? null)
  const isBegun = useRef(false)
  if (token !== undefined) return <SecondStep to={to} token={token} onBack={() => setToken(undefined)} />
  const complete = async () => {
    if (pending === undefined || isBegun.current) return await again()
    isBegun.current = true
    const { token: second } = await completeSignIn(pending, search.slice(1))
    if (second !== undefined) setToken(second)
    return second === undefined ? undefined : unfinished
  }
  const again = async () => {
    if (pending === undefined) location.assign('/sign-in')
    else await goToProvider(pending.link, to)
    return unfinished
  }
  return (
    <AccessPage
      title={texts.title}
      label={texts.again}
      start={{}}
      enter={again}
      to={to}
      fields={() => <Text size="sm">{pending === undefined ? texts.notBegun : texts.completing}</Text>}
      another={(run) => pending !== undefined && <AtOnce run={() => run(complete)} />}
      foot={
        <Anchor underline="always" component={Link} to="/sign-in" size="sm">
          {texts.other}
        </Anchor>
      }
    />
  )
}

/** Runs once, when the page is shown. */
function AtOnce({ run }: { readonly run: () => void }) {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    run()
  })
  return null
}
