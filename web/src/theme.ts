// The theme: one accent colour, the system font, 14 px text and 13 px tables, and greys with sufficient contrast.

import {
  ActionIcon,
  Button,
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
  Menu,
  Modal,
  Select,
  Tabs,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core'
import { messages } from './messages.ts'

const iris: MantineColorsTuple = [
  '#f1f0fb',
  '#dedcf3',
  '#bcb8e6',
  '#9892d9',
  '#7a73ce',
  '#665ec6',
  '#5a52c0',
  '#4b45a8',
  '#423c97',
  '#373285',
]

const small = { size: 'sm' } as const

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 6 },
  colors: { iris },
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.45', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '32px' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' }, h4: { fontSize: '13px' } },
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { size: 'xs', fw: 500 } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } }),
    TextInput: TextInput.extend({ defaultProps: small }),
    Textarea: Textarea.extend({ defaultProps: small }),
    Select: Select.extend({ defaultProps: small }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'xs' } }),
    Tabs: Tabs.extend({ defaultProps: { keepMounted: false } }),
    Menu: Menu.extend({
      defaultProps: {
        shadow: 'md',
        position: 'bottom-end',
        withinPortal: true,
        // A menu may contain nothing that can be focused but its items.
        withInitialFocusPlaceholder: false,
      },
    }),
    Modal: Modal.extend({ defaultProps: { centered: true, closeButtonProps: { 'aria-label': messages.frame.close } } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 300, multiline: true, maw: 320, events: { hover: true, focus: true, touch: true } },
    }),
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
  },
})

/** Mantine's light greys and reds have too little contrast for small text. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1f2328',
    '--mantine-color-dimmed': '#59636e',
    '--mantine-color-placeholder': '#6b7580',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': 'var(--mantine-color-iris-7)',
    '--mantine-color-default-border': '#d5d9de',
    '--kontor-line': '#e7e9ec',
    '--kontor-ground': '#f7f8f9',
  },
  dark: {
    '--mantine-color-text': '#dcdfe3',
    '--mantine-color-dimmed': '#a2a9b3',
    '--mantine-color-placeholder': '#8f97a3',
    '--mantine-color-error': '#ff8b80',
    '--mantine-color-anchor': 'var(--mantine-color-iris-2)',
    '--mantine-color-body': '#17181b',
    '--mantine-color-default': '#1f2125',
    '--mantine-color-default-border': '#3a3e45',
    '--kontor-line': '#2b2e33',
    '--kontor-ground': '#1c1e21',
  },
})
