// Names of environment variables that look like settings of Kontor and are none: mistakes that would otherwise have no effect.

/** Variables of tests, benchmarks and examples, whose processes start servers. */
const ofTools = /^KONTOR_(?:(?:TEST|BENCH)_\w+|URL|KEY|ATTACK|CALM|FAULT|METHOD|RUNS|SEED|SHOTS|TIMINGS)$/
/** Kubernetes sets these in every container for a service called kontor or kontor-…. */
const ofKubernetes = /_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/
const serviceAddress = /^(?:tcp|udp|sctp):\/\//

/** A sentence for each variable that begins with KONTOR_: no setting does. */
export function foreignVariables(set: ReadonlyMap<string, string | undefined>, names: readonly string[]): string[] {
  return [...set]
    .filter(([name]) => /^KONTOR_/i.test(name) && !names.includes(name) && !ofTools.test(name))
    .filter(([name, value = '']) => !ofKubernetes.test(name) && !serviceAddress.test(value))
    .map(([name]) => {
      const short = name.slice('KONTOR_'.length).toUpperCase()
      const advice = names.includes(short)
        ? `Set ${short} instead.`
        : 'Unset it. "kontor serve --help" lists the settings.'
      return `${name} is not a setting of Kontor. ${advice}`
    })
}

const shortestCompared = 7

/** A sentence for each variable whose name is one or two letters away from the name of a setting. */
export function similarNames(set: ReadonlyMap<string, string | undefined>, names: readonly string[]): string[] {
  return [...set.keys()]
    .filter((name) => name.length >= shortestCompared && !names.includes(name))
    .flatMap((name) => {
      const meant = names.find((known) => known.length >= shortestCompared && distance(name, known) <= mostLetters)
      return meant === undefined ? [] : [`${name} is not a setting of Kontor. Is ${meant} meant?`]
    })
}

const mostLetters = 2

/** How many letters have to be inserted, removed or replaced to turn one text into the other (Levenshtein); infinity when more than two have to. */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > mostLetters) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 0; at < from.length; at++) {
    const next = [at + 1]
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (from[at] === to[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    // It never becomes smaller: most names differ from the first letters on.
    if (Math.min(...next) > mostLetters) return Number.POSITIVE_INFINITY
    row = next
  }
  return row.at(-1) ?? 0
}
