// SQL for the instant at which a day of a company starts.

/**
 * The first instant of a day in a time zone. Where the clocks go back from 01:00 to 00:00 (Havana, the Azores), 00:00 happens twice and
 * PostgreSQL takes the second; the day starts at the first. No zone sets its clock back by three hours or more.
 */
export function startOfDay(day: string, zone: string): string {
  const midnight = `(${day})::timestamp`
  const last = `(${midnight} at time zone ${zone} at time zone 'UTC')`
  // Computed without time zones, in UTC: a cluster accepts only immutable functions in writes, and adding to a timestamptz is not immutable.
  const local = (utc: string): string => `((${utc}) at time zone 'UTC' at time zone ${zone})`
  // By how much the clocks were set back in the preceding hours.
  const setBack = `(${local(`${last} - interval '3 hours'`)} + interval '3 hours' - ${midnight})`
  return `((case when ${setBack} > interval '0' and ${local(`${last} - ${setBack}`)} >= ${midnight}
    then ${last} - ${setBack} else ${last} end) at time zone 'UTC')`
}

/** Seconds from an instant to the start of a day, as in `RateLimit-Reset`. */
export const secondsUntil = (day: string, zone: string, transaction: string): string =>
  `ceil(extract(epoch from ${startOfDay(day, zone)} - ${transaction}))::bigint`
