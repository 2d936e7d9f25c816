// Whether the window is as narrow as that of a phone. Style sheets use the same width.

import { useMediaQuery } from '@mantine/hooks'

const phone = '(max-width: 48em)'

export const usePhone = (): boolean => useMediaQuery(phone, window.matchMedia(phone).matches) === true
