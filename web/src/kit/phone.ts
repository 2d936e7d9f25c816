// Whether the window is as narrow as that of a phone or a tablet. Style sheets use the same widths.

import { useMediaQuery } from '@mantine/hooks'

const phone = '(max-width: 48em)'
const tablet = '(max-width: 64em)'

const matches = (query: string): boolean => window.matchMedia(query).matches

export const usePhone = (): boolean => useMediaQuery(phone, matches(phone)) === true

/** A tablet, or what is narrower. */
export const useTablet = (): boolean => useMediaQuery(tablet, matches(tablet)) === true

/** The same for what is decided once, not with the window. */
export const isTabletNow = (): boolean => matches(tablet)
