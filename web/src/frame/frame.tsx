// The frame around every screen of someone signed in: navigation, where one is, the page's action, search, theme, user.

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
import { Suspense } from 'react'
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { setFormat } from '../format.ts'
import { Skeletons } from '../kit/skeletons.tsx'
import { Trouble } from '../kit/trouble.tsx'
import { call, Refusal } from '../server/call.ts'
import { useChanges } from '../server/changes.ts'
import { queryClient, useMethod } from '../server/query.ts'
import { type Session, SessionProvider, signInAddress } from '../session.tsx'
import { words } from '../words.ts'
import classes from './frame.module.css'
import { Keys, useKeys } from './keys.tsx'
import { Navigation, PhoneBar } from './navigation.tsx'
import { useActionKey, useShownPage } from './page.tsx'
import { PageActionButton } from './page-action.tsx'
import { openSearch, Search } from './spotlight.tsx'

/** Asks who is here; sends strangers to sign-in, and back to where they wanted to be. */
export function Component() {
  const { pathname, search } = useLocation()
  const session = useMethod('session/get', {}, { staleMs: 60_000 })
  if (session.error instanceof Refusal && session.error.status === 401)
    return <Navigate to={signInAddress(pathname + search)} replace />
  if (session.data === undefined)
    return session.error ? (
      <Trouble error={session.error} again={() => void session.refetch()} />
    ) : (
      <Skeletons rows={12} />
    )
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
  const [isCollapsed, setCollapsed] = useLocalStorage({ key: 'kontor-nav-collapsed', defaultValue: false })
  const scheme = useMantineColorScheme()
  useChanges(session.seq)
  useActionKey((to) => void navigate(to))
  const signOut = async (): Promise<void> => {
    await call('session/sign_out', {}).catch(() => undefined)
    queryClient.clear()
    await navigate('/sign-in')
  }
  const commands = [
    { label: `${words.frame.theme}: ${words.frame.themeLight}`, run: () => scheme.setColorScheme('light') },
    { label: `${words.frame.theme}: ${words.frame.themeDark}`, run: () => scheme.setColorScheme('dark') },
    { label: words.frame.signOut, run: () => void signOut() },
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
        {words.frame.skip}
      </a>
      <AppShell.Header className={classes['header']}>
        <Top />
        <ThemeMenu />
        <UserMenu session={session} signOut={() => void signOut()} />
      </AppShell.Header>
      {/* On a phone it would only be pushed out of sight, and still be walked through by keyboard and screen reader. */}
      {!isPhone && (
        <AppShell.Navbar className={classes['navbar']} component="div">
          <AppShell.Section grow>
            <Navigation isCollapsed={isCollapsed} />
          </AppShell.Section>
          <AppShell.Section>
            <Tooltip label={isCollapsed ? words.frame.expand : words.frame.collapse} position="right">
              <ActionIcon
                aria-label={isCollapsed ? words.frame.expand : words.frame.collapse}
                aria-expanded={!isCollapsed}
                onClick={() => setCollapsed(!isCollapsed)}
              >
                {isCollapsed ? (
                  <IconLayoutSidebarLeftExpand size={18} stroke={1.6} />
                ) : (
                  <IconLayoutSidebarLeftCollapse size={18} stroke={1.6} />
                )}
              </ActionIcon>
            </Tooltip>
          </AppShell.Section>
        </AppShell.Navbar>
      )}
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
      <Keys />
    </AppShell>
  )
}

function Top() {
  const { title, crumbs, action } = useShownPage()
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
        // All that is seen on it, as whoever speaks to it reads it out.
        aria-label={`${words.frame.search} Ctrl K`}
      >
        <IconSearch size={15} stroke={1.6} aria-hidden />
        <span>{words.frame.search}</span> <Kbd size="xs">Ctrl K</Kbd>
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
        <ActionIcon aria-label={words.frame.theme} visibleFrom="xs">
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
        {words.frame.themeLight}
      </Menu.Item>
      <Menu.Item leftSection={<IconMoon size={16} />} onClick={() => setColorScheme('dark')}>
        {words.frame.themeDark}
      </Menu.Item>
      <Menu.Item leftSection={<IconDeviceDesktop size={16} />} onClick={() => setColorScheme('auto')}>
        {words.frame.themeAuto}
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
        <ActionIcon aria-label={words.frame.user}>
          <IconUser size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {session.user.name} · {words.access.roles[session.user.role]}
          <br />
          {session.company.name}
        </Menu.Label>
        <Menu.Item component={Link} to="/settings/profile" leftSection={<IconUser size={16} />}>
          {words.frame.account}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => keys.find(({ key }) => key === '?')?.run()}>
          {words.frame.keys}
        </Menu.Item>
        <Menu.Divider hiddenFrom="xs" />
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item hiddenFrom="xs">{words.frame.theme}</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            <ThemeItems setColorScheme={setColorScheme} />
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {words.frame.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
