// The theme: the colours of palette.ts as Mantine's, the typeface Inter, sizes of text and space, and the defaults of controls.

import {
  ActionIcon,
  Button,
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  Input,
  type MantineColorsTuple,
  Menu,
  Modal,
  Popover,
  Select,
  Tabs,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core'
import { messages } from './messages.ts'
import { dark, light, type Palette, variablesOf } from './palette.ts'

/** The accent. Buttons use number 7, and number 6 on dark surfaces. */
const pine: MantineColorsTuple = [
  '#e5f1ed',
  '#c9e3da',
  '#94cdb9',
  '#5cc4a6',
  '#38a386',
  '#258a70',
  '#1b7560',
  '#0f5c4a',
  '#0c4b3c',
  '#083a2e',
]

/** Warm greys. Mantine uses them for lines, hovered entries and disabled controls on light surfaces. */
const gray: MantineColorsTuple = [
  '#fafaf8',
  '#f3f3f0',
  '#ebeae6',
  '#e4e3de',
  '#cfcec8',
  '#b0afa8',
  '#8f8e87',
  '#66655f',
  '#5c5b56',
  '#3a3a36',
]

/** The same on dark surfaces, from text to background. */
const warmDark: MantineColorsTuple = [
  '#ecece8',
  '#c9c9c3',
  '#a9a9a2',
  '#918f88',
  '#30322e',
  '#2a2c29',
  '#222421',
  '#1a1b19',
  '#121311',
  '#0c0d0b',
]

const small = { size: 'sm' } as const

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, gray, dark: warmDark },
  autoContrast: true,
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '24px', xl: '28px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '32px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '24px', lineHeight: '32px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
      h4: { fontSize: '13px', lineHeight: '18px' },
    },
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
        transitionProps: { duration: 100 },
        withinPortal: true,
        // A menu may contain nothing that can be focused but its items.
        withInitialFocusPlaceholder: false,
      },
    }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        radius: 'md',
        closeButtonProps: { 'aria-label': messages.frame.close },
        transitionProps: { duration: 120 },
      },
    }),
    Drawer: Drawer.extend({ defaultProps: { transitionProps: { duration: 120 } } }),
    Popover: Popover.extend({ defaultProps: { transitionProps: { duration: 100 } } }),
    Tooltip: Tooltip.extend({
      defaultProps: {
        openDelay: 300,
        multiline: true,
        maw: 320,
        events: { hover: true, focus: true, touch: true },
        transitionProps: { duration: 100 },
      },
    }),
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
  },
})

const colours = (palette: Palette): Record<string, string> => ({
  ...variablesOf(palette),
  '--mantine-color-text': palette.text,
  '--mantine-color-dimmed': palette.secondary,
  '--mantine-color-placeholder': palette.tertiary,
  '--mantine-color-error': palette.danger,
  '--mantine-color-anchor': palette.accent,
  '--mantine-color-body': palette.surface,
  '--mantine-color-default': palette.surface,
  '--mantine-color-default-hover': palette.subtle,
  '--mantine-color-default-color': palette.text,
  '--mantine-color-pine-light': palette.accentTint,
  '--mantine-color-pine-light-color': palette.accent,
  '--mantine-color-pine-outline': palette.accent,
  '--mantine-color-red-light': palette.dangerTint,
  '--mantine-color-red-light-color': palette.danger,
  '--mantine-color-red-outline': palette.danger,
  '--mantine-color-yellow-light': palette.warningTint,
  '--mantine-color-yellow-light-color': palette.warning,
  '--mantine-color-yellow-outline': palette.warning,
})

/** Borders of buttons are between those of cards and of fields: the label shows what they are. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...colours(light), '--mantine-color-default-border': '#d6d5cf' },
  dark: { ...colours(dark), '--mantine-color-default-border': '#3b3d39' },
})
