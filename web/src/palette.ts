// The colours of the screens in light and dark: warm neutral surfaces, near-black text, one accent. Every other colour means a state.
// palette.test.ts computes the contrast of every pair that is used together.

export type Palette = {
  /** Behind everything; cards and fields; headings of tables and rows under the pointer. */
  readonly canvas: string
  readonly surface: string
  readonly subtle: string
  /** Between things; around fields and boxes to tick. */
  readonly line: string
  readonly control: string
  readonly text: string
  readonly secondary: string
  readonly tertiary: string
  readonly accentButton: string
  readonly accent: string
  readonly accentTint: string
  readonly danger: string
  readonly dangerTint: string
  readonly warning: string
  readonly warningTint: string
  readonly success: string
  readonly successTint: string
  readonly info: string
  readonly infoTint: string
}

export const light: Palette = {
  canvas: '#fafaf8',
  surface: '#ffffff',
  subtle: '#f3f3f0',
  line: '#e4e3de',
  control: '#8f8e87',
  text: '#1c1c1a',
  secondary: '#5c5b56',
  tertiary: '#71706a',
  accentButton: '#0f5c4a',
  accent: '#0f5c4a',
  accentTint: '#e5f1ed',
  danger: '#b42318',
  dangerTint: '#fdecea',
  warning: '#7a4f00',
  warningTint: '#fff4dc',
  success: '#1e6b3a',
  successTint: '#e6f4ea',
  info: '#1f5a9e',
  infoTint: '#e8f1fb',
}

export const dark: Palette = {
  canvas: '#121311',
  surface: '#1a1b19',
  subtle: '#222421',
  line: '#30322e',
  control: '#74776f',
  text: '#ecece8',
  secondary: '#a9a9a2',
  tertiary: '#918f88',
  accentButton: '#1b7560',
  accent: '#5cc4a6',
  accentTint: '#17322a',
  danger: '#ff9a91',
  dangerTint: '#3a1b18',
  warning: '#f2c26b',
  warningTint: '#33270f',
  success: '#7fd39b',
  successTint: '#152c1d',
  info: '#8dbbf2',
  infoTint: '#172a40',
}

/** The variables `--kontor-canvas`, `--kontor-accent-tint` and so on. */
export const variablesOf = (palette: Palette): Record<string, string> =>
  Object.fromEntries(
    Object.entries(palette).map(([name, value]) => [
      `--kontor-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      value,
    ]),
  )
