// Days of the workshop's year: plain YYYY-MM-DD strings, working days, sales volume per day, and the tasks of each day.

const dayMs = 86_400_000

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

export const isWorkday = (day: string): boolean => weekdayOf(day) < 5

export function addWorkdays(day: string, days: number): string {
  let at = day
  for (let left = days; left > 0; ) {
    at = addDays(at, 1)
    if (isWorkday(at)) left--
  }
  return at
}

/** Today in the workshop's time zone. */
export const todayIn = (timezone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format()

// Furniture sells before winter and around new year, and less in summer.
const months = [1.05, 0.9, 0.95, 1, 0.95, 0.85, 0.7, 0.75, 1.05, 1.2, 1.45, 1.2]
const weekdays = [1.25, 1.15, 1.1, 1.1, 1.05, 0.75, 0.6]

/** The sales volume of a day, 1 on average. */
export const trade = (day: string): number =>
  (months[Number(day.slice(5, 7)) - 1] ?? 1) * (weekdays[weekdayOf(day)] ?? 1)

export type Task = { readonly minute: number; readonly run: (at: string, minute: number) => Promise<void> }

/** The tasks of each day. Tasks after today are never done, and so stay open. */
export class Agenda {
  readonly #days = new Map<string, Task[]>()
  readonly #now: string

  constructor(now: string) {
    this.#now = now
  }

  plan(day: string, minute: number, run: Task['run']): void {
    const tasks = this.#days.get(day)
    if (tasks === undefined) this.#days.set(day, [{ minute, run }])
    else tasks.push({ minute, run })
  }

  /** Does a day's tasks in order of time, including those added while it runs. */
  async live(day: string): Promise<void> {
    const tasks = this.#days.get(day) ?? []
    while (tasks.length > 0) {
      tasks.sort((one, other) => one.minute - other.minute)
      const task = tasks.shift()
      if (task !== undefined) await task.run(this.#timeOf(day, task.minute), task.minute)
    }
    this.#days.delete(day)
  }

  /** A minute of a day as a time, but never later than now. */
  #timeOf(day: string, minute: number): string {
    const seconds = (minute * 7919) % 60
    const time = Date.parse(`${day}T00:00:00Z`) + minute * 60_000 + seconds * 1_000
    return new Date(Math.min(time, Date.parse(this.#now))).toISOString()
  }
}
