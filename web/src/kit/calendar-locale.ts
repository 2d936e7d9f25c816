// The calendar of day fields in the user's locale: names of months and weekdays, the first day of the week, labels.

import type { CalendarProps } from '@mantine/dates'
import { locale } from '../language.ts'
import { messages } from '../messages.ts'

const texts = messages.kit.day

function formatter(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  return (day) => format.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
}

type WeekInfo = { readonly firstDay: number }

/** Monday where the browser does not know it. */
function firstDayOfWeek(): 0 | 1 | 2 | 3 | 4 | 5 | 6 {
  const of = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo }
  const { firstDay = 1 } = of.getWeekInfo?.() ?? of.weekInfo ?? {}
  return (firstDay % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6
}

export const calendarLocale = {
  firstDayOfWeek: firstDayOfWeek(),
  weekdayFormat: formatter({ weekday: 'short' }),
  monthLabelFormat: formatter({ month: 'long', year: 'numeric' }),
  yearLabelFormat: formatter({ year: 'numeric' }),
  monthsListFormat: formatter({ month: 'short' }),
  yearsListFormat: formatter({ year: 'numeric' }),
  getDayAriaLabel: formatter({ dateStyle: 'full' }),
  ariaLabels: {
    nextMonth: texts.nextMonth,
    previousMonth: texts.previousMonth,
    nextYear: texts.nextYear,
    previousYear: texts.previousYear,
    nextDecade: texts.nextYears,
    previousDecade: texts.previousYears,
  },
} satisfies Partial<CalendarProps>
