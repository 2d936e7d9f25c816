// The frame around every screen of a signed-in user: navigation, where the user is, search, theme, user menu.

import {
  ActionIcon,
  Alert,
  Anchor,
  AppShell,
  Group,
  Kbd,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconFlask, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { ConfirmIdentity } from '../access/confirm-identity.tsx'
import { SignInAgain } from '../access/sign-in-again.tsx'
import { day, setFormat } from '../format.ts'
import { Keys, keyNames } from '../kit/keys.tsx'
import { LoadError } from '../kit/load-error.tsx'
import { useActionKey, useCurrentPage } from '../kit/page.tsx'
import { isTabletNow, usePhone } from '../kit/phone.ts'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import { call, openFor, Refusal, whenSignedOut } from '../server/call.ts'
import { useChanges } from '../server/changes.ts'
import { queryClient, useMethod } from '../server/query.ts'
import { isSameUser, reloadForAnother, type Session, SessionProvider, signInAddress } from '../session.tsx'
import { CompanyMenu } from './company-menu.tsx'
import classes from './frame.module.css'
import { ThemeMenu, UserMenu } from './menus.tsx'
import navigationClasses from './navigation.module.css'
import { Navigation, PhoneBar, useJumps } from './navigation.tsx'
import { openSearch, Search } from './spotlight.tsx'

const SecondFactorRequired = lazy(async () => ({
  default: (await import('../access/second-factor-required.tsx')).SecondFactorRequired,
}))

/** Loads the session; redirects anonymous users to sign-in, and back afterwards. */
export function Component() {
  const { pathname, search } = useLocation()
  const session = useMethod('session/get', {}, { staleMs: 60_000 })
  const first = useRef<Session>(undefined)
  if (session.error instanceof Refusal && session.error.status === 401)
    return <Navigate to={signInAddress(pathname + search)} replace />
  if (session.data === undefined)
    return session.error ? (
      <LoadError error={session.error} again={() => void session.refetch()} />
    ) : (
      <Skeletons rows={12} />
    )
  // Another tab may have signed in a different user.
  first.current ??= session.data
  if (!isSameUser(first.current, session.data)) {
    reloadForAnother()
    return <Skeletons rows={12} />
  }
  openFor(session.data)
  setFormat(session.data.company)
  return (
    <SessionProvider session={session.data}>
      <Entered session={session.data} />
    </SessionProvider>
  )
}

function Entered({ session }: { session: Session }) {
  const navigate = useNavigate()
  // Also while the recovery codes are shown, when the second factor is set up already.
  const [isSettingUp, setSettingUp] = useState(false)
  if (session.must_set_up_second_factor && !isSettingUp) setSettingUp(true)
  const signOut = async (): Promise<void> => {
    whenSignedOut(undefined)
    await call('session/sign_out', {}).catch(() => undefined)
    openFor(undefined)
    queryClient.clear()
    await navigate('/sign-in')
  }
  if (!isSettingUp) return <Frame session={session} signOut={signOut} />
  return (
    <>
      <Suspense fallback={<Skeletons rows={10} />}>
        <SecondFactorRequired onDone={() => setSettingUp(false)} signOut={() => void signOut()} />
      </Suspense>
      <SignInAgain session={session} />
    </>
  )
}

function Frame({ session, signOut }: { session: Session; signOut: () => Promise<void> }) {
  const navigate = useNavigate()
  const isPhone = usePhone()
  const [isCollapsed, setCollapsed] = useLocalStorage({
    key: 'kontor-nav-collapsed',
    // On a tablet the content needs the room.
    defaultValue: isTabletNow(),
  })
  const scheme = useMantineColorScheme()
  useChanges(session.seq)
  useActionKey((to) => void navigate(to))
  const commands = [
    { label: `${messages.frame.theme}: ${messages.frame.themeLight}`, run: () => scheme.setColorScheme('light') },
    { label: `${messages.frame.theme}: ${messages.frame.themeDark}`, run: () => scheme.setColorScheme('dark') },
    { label: messages.frame.signOut, run: () => void signOut() },
  ]
  return (
    <AppShell
      layout="alt"
      header={{ height: 48 }}
      navbar={{ width: isCollapsed ? 56 : 216, breakpoint: 'sm', collapsed: { mobile: true } }}
      {...(isPhone ? { footer: { height: 56 } } : {})}
      transitionDuration={0}
    >
      <Announcement />
      <a href="#content" className={classes['skip']}>
        {messages.frame.skip}
      </a>
      <AppShell.Header className={classes['header']}>
        <Top />
        <ThemeMenu />
        <UserMenu session={session} signOut={() => void signOut()} />
      </AppShell.Header>
      {/* On a phone it would only be moved off screen, and still be reachable by keyboard and screen reader. */}
      {!isPhone && <Side isCollapsed={isCollapsed} setCollapsed={setCollapsed} />}
      <AppShell.Main className={classes['main']}>
        <div id="content" className={classes['content']}>
          <TestNotice session={session} />
          <DeletionNotice session={session} />
          <Suspense fallback={<Skeletons rows={10} />}>
            <Outlet />
          </Suspense>
        </div>
      </AppShell.Main>
      {isPhone && (
        <AppShell.Footer className={classes['footer']} component="div">
          <PhoneBar />
        </AppShell.Footer>
      )}
      <Search commands={commands} />
      <SignInAgain session={session} />
      <ConfirmIdentity />
      <Keys jumps={useJumps()} go={(to) => void navigate(to)} search={openSearch} />
    </AppShell>
  )
}

/** On every page, for every user: nobody should lose the company without having known. */
function DeletionNotice({ session: { company, user } }: { session: Session }) {
  if (company.delete_at === null) return null
  const texts = messages.accounts.ownData
  return (
    <Alert color="red" variant="outline" role="status" mb="md" title={texts.notice(day(company.delete_at))}>
      {user.role === 'owner' && (
        <Anchor component={Link} to="/settings/data" size="sm">
          {messages.settings.places.data}
        </Anchor>
      )}
    </Alert>
  )
}

/** On every page, so that nobody takes a test for the real thing. */
function TestNotice({ session: { company } }: { session: Session }) {
  if (company.test_of === null) return null
  const texts = messages.accounts.testCompany
  return (
    <Alert color="yellow" variant="light" role="status" mb="md" py="xs" icon={<IconFlask aria-hidden />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {texts.notice}
        </Text>
        <Anchor component={Link} to="/switch-company" state={{ companyId: company.test_of }} size="sm">
          {texts.back}
        </Anchor>
      </Group>
    </Alert>
  )
}

/** Screen readers say which page was opened; the browser says it only for the first one. */
function Announcement() {
  const { title } = useCurrentPage()
  const [announced, setAnnounced] = useState('')
  const last = useRef('')
  useEffect(() => {
    if (title === '' || title === last.current) return
    if (last.current !== '') setAnnounced(title)
    last.current = title
  }, [title])
  return (
    <VisuallyHidden aria-live="polite" aria-atomic data-announcement>
      {announced}
    </VisuallyHidden>
  )
}

function Side({ isCollapsed, setCollapsed }: { isCollapsed: boolean; setCollapsed: (to: boolean) => void }) {
  const label = isCollapsed ? messages.frame.expand : messages.frame.collapse
  const Icon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <AppShell.Navbar className={navigationClasses['navbar']} component="div">
      <CompanyMenu isCollapsed={isCollapsed} />
      <Navigation
        isCollapsed={isCollapsed}
        foot={
          <Tooltip label={label} position="right">
            <ActionIcon aria-label={label} aria-expanded={!isCollapsed} onClick={() => setCollapsed(!isCollapsed)}>
              <Icon size={18} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        }
      />
    </AppShell.Navbar>
  )
}

const searchKey = keyNames('mod+K').join(' ')

function Top() {
  const { title, crumbs } = useCurrentPage()
  return (
    <>
      <nav className={classes['crumbs']} aria-label={messages.frame.breadcrumb}>
        {crumbs.map(({ label, to }) => (
          <span key={label}>
            {to ? <Link to={to}>{label}</Link> : label} <span aria-hidden>/</span>
          </span>
        ))}
        <span aria-current="page">{title}</span>
      </nav>
      <UnstyledButton
        className={classes['searchButton']}
        onClick={openSearch}
        // The label contains all visible text, so that voice control finds the button by it.
        aria-label={`${messages.frame.search} ${searchKey}`}
      >
        <IconSearch size={15} stroke={1.6} aria-hidden />
        <span>{messages.frame.search}</span> <Kbd size="xs">{searchKey}</Kbd>
      </UnstyledButton>
    </>
  )
}
