/** The shortest of several runs, in milliseconds: the least disturbed by other work of the machine. */
export function shortestMs(work: () => unknown, runs = 5): number {
  let shortest = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const startedMs = performance.now()
    work()
    shortest = Math.min(shortest, performance.now() - startedMs)
  }
  return shortest
}
