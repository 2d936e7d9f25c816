// The menus of the frame: theme and user.

import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconKeyboard, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useKeys } from '../kit/keys.tsx'
import { usePhone } from '../kit/phone.ts'
import { messages } from '../messages.ts'
import type { Session } from '../session.tsx'

export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  if (usePhone()) return null
  const Icon = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop }[colorScheme]
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={messages.frame.theme}>
          <Icon size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ThemeItems setColorScheme={setColorScheme} />
      </Menu.Dropdown>
    </Menu>
  )
}

type SetTheme = { readonly setColorScheme: (to: 'light' | 'dark' | 'auto') => void }

function ThemeEntry({ setColorScheme }: SetTheme) {
  return (
    <>
      <Menu.Divider />
      <Menu.Sub>
        <Menu.Sub.Target>
          <Menu.Sub.Item>{messages.frame.theme}</Menu.Sub.Item>
        </Menu.Sub.Target>
        <Menu.Sub.Dropdown>
          <ThemeItems setColorScheme={setColorScheme} />
        </Menu.Sub.Dropdown>
      </Menu.Sub>
    </>
  )
}

function ThemeItems({ setColorScheme }: SetTheme) {
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

export function UserMenu({ session, signOut }: { session: Session; signOut: () => void }) {
  const keys = useKeys()
  const isPhone = usePhone()
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
        {/* Where it is not shown it is not rendered: the arrow keys would stop at a hidden entry. */}
        {isPhone && <ThemeEntry setColorScheme={setColorScheme} />}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {messages.frame.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
