// Time zones are named after places, such as Europe/Berlin. PostgreSQL reads some other names of the same database as abbreviations with a fixed offset: CET
// would have no summer time. Such names are replaced by the place they stand for.

/** Links of the IANA database without a place in their names. */
const places: Readonly<Record<string, string>> = {
  CET: 'Europe/Brussels',
  CST6CDT: 'America/Chicago',
  Cuba: 'America/Havana',
  EET: 'Europe/Athens',
  EST: 'America/Panama',
  EST5EDT: 'America/New_York',
  Egypt: 'Africa/Cairo',
  Eire: 'Europe/Dublin',
  GB: 'Europe/London',
  'GB-Eire': 'Europe/London',
  GMT: 'Etc/GMT',
  'GMT+0': 'Etc/GMT',
  'GMT-0': 'Etc/GMT',
  GMT0: 'Etc/GMT',
  Greenwich: 'Etc/GMT',
  HST: 'Pacific/Honolulu',
  Hongkong: 'Asia/Hong_Kong',
  Iceland: 'Atlantic/Reykjavik',
  Iran: 'Asia/Tehran',
  Israel: 'Asia/Jerusalem',
  Jamaica: 'America/Jamaica',
  Japan: 'Asia/Tokyo',
  Kwajalein: 'Pacific/Kwajalein',
  Libya: 'Africa/Tripoli',
  MET: 'Europe/Brussels',
  MST: 'America/Phoenix',
  MST7MDT: 'America/Denver',
  NZ: 'Pacific/Auckland',
  'NZ-CHAT': 'Pacific/Chatham',
  Navajo: 'America/Denver',
  PRC: 'Asia/Shanghai',
  PST8PDT: 'America/Los_Angeles',
  Poland: 'Europe/Warsaw',
  Portugal: 'Europe/Lisbon',
  ROC: 'Asia/Taipei',
  ROK: 'Asia/Seoul',
  Singapore: 'Asia/Singapore',
  Turkey: 'Europe/Istanbul',
  UCT: 'UTC',
  Universal: 'UTC',
  'W-SU': 'Europe/Moscow',
  WET: 'Europe/Lisbon',
  Zulu: 'UTC',
}

const place = /^(?!posix\/|right\/)[A-Za-z_]+\/[A-Za-z]/

/** The name of the place; the empty string for an abbreviation, which is no time zone. Whether the place exists, PostgreSQL decides. */
export function timezoneOf(name: string): string {
  const known = Object.hasOwn(places, name) ? (places[name] ?? '') : name
  return known === 'UTC' || place.test(known) ? known : ''
}
