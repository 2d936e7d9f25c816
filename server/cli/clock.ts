// kontor clock: what the clock of the database says, and the confirmation that it is right after a jump.

import { asOwner } from '../platform/postgres/owner-client.ts'
import { type ClockRow, confirmClock, doubtText, findClock } from '../platform/postgres/trusted-clock.ts'
import { readConfig } from '../platform/process/config.ts'
import { type Command, options } from './command.ts'

const timeText = (ms: number): string => new Date(ms).toISOString()

function print({ now_ms: nowMs, recorded_ms: recordedMs, in_doubt: isInDoubt }: ClockRow): void {
  console.log(`Database   ${timeText(nowMs)}`)
  console.log(`Recorded   ${timeText(recordedMs)}`)
  console.log(isInDoubt ? doubtText : 'The clock of the database is trusted.')
}

const withClock = (work: Parameters<typeof asOwner<ClockRow>>[2]): Promise<ClockRow> =>
  asOwner(readConfig(process.env).DATABASE_URL, { name: 'kontor clock', statementMs: 10_000 }, work)

export const clock: readonly Command[] = [
  {
    words: ['clock', 'show'],
    usage: 'clock show',
    summary: 'Show the clock of the database, and whether it is trusted',
    help: 'The exit code is 0 if the clock is trusted, otherwise 1.',
    run: async (rest) => {
      options(rest, {})
      const row = await withClock(findClock)
      print(row)
      return row.in_doubt ? 1 : 0
    },
  },
  {
    words: ['clock', 'confirm'],
    usage: 'clock confirm',
    summary: 'Confirm that the clock of the database is right after a jump',
    help: `Run it as the owner of the tables, after you have compared the time that "clock show" prints with the real one. From then on the service deletes again what
has expired by that time, and counts requests for the day of that time. Running servers notice it within seconds.`,
    run: async (rest) => {
      options(rest, {})
      const row = await withClock(async (client) => {
        await confirmClock(client)
        return await findClock(client)
      })
      print(row)
      return 0
    },
  },
]
