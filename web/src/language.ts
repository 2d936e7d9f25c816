// The language of the screens: chosen by the user, otherwise that of the browser; and the locale that fits it.

/** A language is listed when its catalog is complete, by its own name. */
export const languages = { en: 'English', de: 'Deutsch', ru: 'Русский' } as const
export type Language = keyof typeof languages

const key = 'kontor-language'
const isLanguage = (value: string | null | undefined): value is Language =>
  value != null && Object.hasOwn(languages, value)
const languageOf = (locale: string): string | undefined => locale.split('-')[0]?.toLowerCase()

/** The first of the browser's languages in which the screens exist. */
const ofBrowser = (locales: readonly string[]): Language | undefined => locales.map(languageOf).find(isLanguage)

/** `locales` are those of the browser, the preferred one first. */
export function pickLanguage(chosen: string | null | undefined, locales: readonly string[]): Language {
  return isLanguage(chosen) ? chosen : (ofBrowser(locales) ?? 'en')
}

/**
 * The locale of numbers, dates and money: the first of the browser that is in the language of the screens, so that a German
 * screen has no English names of months. A user whose language is not offered reads English with the formats of the browser.
 */
export function pickLocale(chosen: string | null | undefined, locales: readonly string[]): string {
  const language = pickLanguage(chosen, locales)
  const [preferred = language] = locales
  const isFallback = !isLanguage(chosen) && ofBrowser(locales) === undefined
  return isFallback ? preferred : (locales.find((locale) => languageOf(locale) === language) ?? language)
}

/** Tests without a browser are in English. */
const locales = typeof document === 'undefined' ? ['en'] : navigator.languages

/** Undefined: the user has not chosen one, or the browser keeps nothing for this site. */
export function chosenLanguage(): Language | undefined {
  try {
    const chosen = typeof document === 'undefined' ? null : localStorage.getItem(key)
    return isLanguage(chosen) ? chosen : undefined
  } catch {
    return undefined
  }
}

export const language: Language = pickLanguage(chosenLanguage(), locales)
export const locale: string = pickLocale(chosenLanguage(), locales)

/** The page is loaded again, because screens read their texts once. */
export function chooseLanguage(chosen: Language | undefined): void {
  if (chosen === undefined) localStorage.removeItem(key)
  else localStorage.setItem(key, chosen)
  location.reload()
}
