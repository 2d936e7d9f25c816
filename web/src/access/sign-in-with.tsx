// The address that a company gives to its users: signing in at its identity provider.

import { Anchor, Text } from '@mantine/core'
import { Link, useParams, useSearchParams } from 'react-router'
import { messages } from '../messages.ts'
import { nextAddress } from '../session.tsx'
import { AccessPage, unfinished } from './access-page.tsx'
import { goToProvider } from './single-sign-on.ts'

const texts = messages.access.singleSignOn

export function Component() {
  const { link = '' } = useParams()
  const [params] = useSearchParams()
  const to = nextAddress(params.get('next'))
  return (
    <AccessPage
      title={texts.title}
      label={texts.go}
      start={{}}
      enter={async () => {
        await goToProvider(link, to)
        return unfinished
      }}
      to={to}
      fields={() => <Text size="sm">{texts.text}</Text>}
      foot={
        <Anchor underline="always" component={Link} to="/sign-in" size="sm">
          {texts.other}
        </Anchor>
      }
    />
  )
}
