// The first steps of a new company on Home: they tick themselves, and each leads to the screen where it is done.

import { Button, Text, Title } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link } from 'react-router'
import { notifyError } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useMay, useSession } from '../session.tsx'
import { RemoveExampleData, TryExampleData } from './example-data.tsx'
import classes from './first-steps.module.css'

const texts = messages.dashboard.firstSteps

type Name = keyof Output<'first_steps/get'>['steps']
type Step = {
  readonly name: Name
  readonly to: string
  /** What can be imported from a file instead. */
  readonly imports?: 'products' | 'stock'
  readonly isForOwner?: boolean
}

const all: readonly Step[] = [
  { name: 'company', to: '/settings', isForOwner: true },
  { name: 'items', to: '/products/new', imports: 'products' },
  { name: 'stock', to: '/audits/count', imports: 'stock' },
  { name: 'sale', to: '/sales/new' },
  { name: 'shipment', to: '/sales' },
  { name: 'colleague', to: '/settings/users', isForOwner: true },
  { name: 'shop', to: '/settings/integrations', isForOwner: true },
]

export type ShownSteps = {
  /** Empty when they are done or dismissed, and only example data is to be removed. */
  readonly steps: readonly (Step & { readonly isDone: boolean })[]
  readonly hasSales: boolean
  readonly hasItems: boolean
  readonly hasExampleData: boolean
}

/** The steps that the user may take; undefined when there is nothing to show. */
export function useFirstSteps(): { readonly shown: ShownSteps | undefined; readonly isWaiting: boolean } {
  const { shows_first_steps: isOpen } = useSession()
  const [mayWrite, isOwner] = [useMay('manager'), useMay('owner')]
  const isEnabled = isOpen && mayWrite
  const { data, isLoading } = useMethod('first_steps/get', {}, { enabled: isEnabled, everyMs: 60_000 })
  if (!isEnabled || data === undefined) return { shown: undefined, isWaiting: isEnabled && isLoading }
  const { is_shown: isShown, has_example_data: hasExampleData, steps: done } = data
  const own = all
    .filter(({ isForOwner = false }) => isOwner || !isForOwner)
    .map((step) => ({ ...step, isDone: done[step.name] }))
  const steps = isShown && own.some(({ isDone }) => !isDone) ? own : []
  const shown = { steps, hasSales: done.sale || !isShown, hasItems: done.items, hasExampleData }
  return { shown: steps.length > 0 || hasExampleData ? shown : undefined, isWaiting: false }
}

export function FirstSteps({ shown: { steps, hasItems, hasExampleData } }: { shown: ShownSteps }) {
  return (
    <section className={classes['panel']} aria-label={texts.title}>
      {steps.length > 0 && <Steps steps={steps} />}
      {hasExampleData ? <RemoveExampleData /> : !hasItems && <TryExampleData />}
    </section>
  )
}

function Steps({ steps }: Pick<ShownSteps, 'steps'>) {
  const next = steps.find(({ isDone }) => !isDone)?.name
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <>
      <header className={classes['head']}>
        <div>
          <Title order={2}>{texts.title}</Title>
          <Text size="sm" c="dimmed">
            {texts.progress(done, steps.length)}
          </Text>
        </div>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => void mutate('first_steps/edit', { is_shown: false }).catch(notifyError)}
        >
          {texts.dismiss}
        </Button>
      </header>
      <ol className={classes['steps']}>
        {steps.map((step) => (
          <StepRow key={step.name} step={step} isNext={step.name === next} />
        ))}
      </ol>
    </>
  )
}

function StepRow({
  step: { name, to, imports, isDone },
  isNext,
}: {
  step: ShownSteps['steps'][number]
  isNext: boolean
}) {
  const { title, why, label } = texts.steps[name]
  return (
    <li className={classes['step']} data-done={isDone || undefined}>
      {isDone ? (
        <IconCircleCheckFilled size={20} className={classes['done'] ?? ''} role="img" aria-label={texts.done} />
      ) : (
        <IconCircle size={20} className={classes['open'] ?? ''} aria-hidden />
      )}
      <div className={classes['about']}>
        <Text fw={500}>{title}</Text>
        {!isDone && (
          <Text size="sm" c="dimmed">
            {why}
          </Text>
        )}
      </div>
      {!isDone && imports !== undefined && (
        <Button component={Link} to={`/import?of=${imports}`} variant="subtle">
          {texts.import}
        </Button>
      )}
      {!isDone && (
        <Button
          component={Link}
          to={to}
          variant={isNext ? 'filled' : 'default'}
          // Looking at the details is the whole step.
          {...(name === 'company'
            ? { onClick: () => void mutate('first_steps/edit', { details_seen: true }).catch(notifyError) }
            : {})}
        >
          {label}
        </Button>
      )}
    </li>
  )
}
