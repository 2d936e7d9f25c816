// The frame around every screen of a signed-in user: navigation, breadcrumbs, the page's action, search, theme, user menu.

import { ActionIcon, AppShell, Kbd, Menu, Tooltip, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import {
  IconChevronRight,
  IconDeviceDesktop,
  IconKeyboard,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
} from '@tabler/icons-react'
import { Suspense, useRef } from 'react'
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { SignInAgain } from '../access/sign-in-again.tsx'
import { setFormat } from '../format.ts'
import { Keys, useKeys } from '../kit/keys.tsx'
import { LoadError } from '../kit/load-error.tsx'
import { useActionKey, useCurrentPage } from '../kit/page.tsx'
import { PageActionButton } from '../kit/page-action.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import { call, openFor, Refusal, whenSignedOut } from '../server/call.ts'
import { useChanges } from '../server/changes.ts'
import { queryClient, useMethod } from '../server/query.ts'
import { isSameUser, reloadForAnother, type Session, SessionProvider, signInAddress } from '../session.tsx'
import classes from './frame.module.css'
import { Navigation, PhoneBar } from './navigation.tsx'
import { openSearch, Search } from './spotlight.tsx'

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
      <Frame session={session.data} />
    </SessionProvider>
  )
}

const phone = '(max-width: 48em)'

function Frame({ session }: { session: Session }) {
  const navigate = useNavigate()
  const isPhone = useMediaQuery(phone, window.matchMedia(phone).matches)
  const [isCollapsed, setCollapsed] = useLocalStorage({
    key: 'kontor-nav-collapsed',
    // On a tablet the content needs the room.
    defaultValue: window.matchMedia('(max-width: 64em)').matches,
  })
  const scheme = useMantineColorScheme()
  useChanges(session.seq)
  useActionKey((to) => void navigate(to))
  const signOut = async (): Promise<void> => {
    whenSignedOut(undefined)
    await call('session/sign_out', {}).catch(() => undefined)
    openFor(undefined)
    queryClient.clear()
    await navigate('/sign-in')
  }
  const commands = [
    { label: `${messages.frame.theme}: ${messages.frame.themeLight}`, run: () => scheme.setColorScheme('light') },
    { label: `${messages.frame.theme}: ${messages.frame.themeDark}`, run: () => scheme.setColorScheme('dark') },
    { label: messages.frame.signOut, run: () => void signOut() },
  ]
  return (
    <AppShell
      layout="alt"
      header={{ height: 48 }}
      navbar={{ width: isCollapsed ? 56 : 208, breakpoint: 'sm', collapsed: { mobile: true } }}
      {...(isPhone ? { footer: { height: 56 } } : {})}
      transitionDuration={0}
    >
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
      <Keys />
    </AppShell>
  )
}

function Side({ isCollapsed, setCollapsed }: { isCollapsed: boolean; setCollapsed: (to: boolean) => void }) {
  const label = isCollapsed ? messages.frame.expand : messages.frame.collapse
  const Icon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <AppShell.Navbar className={classes['navbar']} component="div">
      <AppShell.Section grow>
        <Navigation isCollapsed={isCollapsed} />
      </AppShell.Section>
      <AppShell.Section>
        <Tooltip label={label} position="right">
          <ActionIcon aria-label={label} aria-expanded={!isCollapsed} onClick={() => setCollapsed(!isCollapsed)}>
            <Icon size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </AppShell.Section>
    </AppShell.Navbar>
  )
}

function Top() {
  const { title, crumbs, action } = useCurrentPage()
  return (
    <>
      <nav className={classes['crumbs']} aria-label="Breadcrumb">
        {crumbs.map(({ label, to }) => (
          <span key={label}>
            {to ? <Link to={to}>{label}</Link> : label} <IconChevronRight size={12} aria-hidden />
          </span>
        ))}
        <span aria-current="page">{title}</span>
      </nav>
      {action && <PageActionButton action={action} />}
      <UnstyledButton
        className={classes['searchButton']}
        onClick={openSearch}
        // The label contains all visible text, so that voice control finds the button by it.
        aria-label={`${messages.frame.search} Ctrl K`}
      >
        <IconSearch size={15} stroke={1.6} aria-hidden />
        <span>{messages.frame.search}</span> <Kbd size="xs">Ctrl K</Kbd>
      </UnstyledButton>
    </>
  )
}

function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop }[colorScheme]
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={messages.frame.theme} visibleFrom="xs">
          <Icon size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ThemeItems setColorScheme={setColorScheme} />
      </Menu.Dropdown>
    </Menu>
  )
}

function ThemeItems({ setColorScheme }: { setColorScheme: (to: 'light' | 'dark' | 'auto') => void }) {
  return (
    <>
      <Menu.Item leftSection={<IconSun size={16} />} onClick={() => setColorScheme('light')}>
        {messages.frame.themeLight}
      </Menu.Item>
      <Menu.Item leftSection={<IconMoon size={16} />} onClick={() => setColorScheme('dark')}>
        {messages.frame.themeDark}
      </Menu.Item>
      <Menu.Item leftSection={<IconDeviceDesktop size={16} />} onClick={() => setColorScheme('auto')}>
        {messages.frame.themeAuto}
      </Menu.Item>
    </>
  )
}

function UserMenu({ session, signOut }: { session: Session; signOut: () => void }) {
  const keys = useKeys()
  const { setColorScheme } = useMantineColorScheme()
  return (
    <Menu width={240}>
      <Menu.Target>
        <ActionIcon aria-label={messages.frame.user}>
          <IconUser size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {session.user.name} · {messages.access.roles[session.user.role]}
          <br />
          {session.company.name}
        </Menu.Label>
        <Menu.Item component={Link} to="/settings/profile" leftSection={<IconUser size={16} />}>
          {messages.frame.account}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => keys.find(({ key }) => key === '?')?.run()}>
          {messages.frame.keys}
        </Menu.Item>
        <Menu.Divider hiddenFrom="xs" />
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item hiddenFrom="xs">{messages.frame.theme}</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            <ThemeItems setColorScheme={setColorScheme} />
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {messages.frame.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
