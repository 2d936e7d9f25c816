// The attacker as a separate process, so that it does not disturb the measurement. It receives one attack and reports the responses it got.

import { type Armed, attacks } from './attacks.ts'

export type Order = { readonly attack: string; readonly armed: Armed }
export type Report = { readonly statuses: readonly (readonly [number, number])[] }

process.on('message', ({ attack, armed }: Order) => {
  void run(attack, armed).then((report) => process.send?.(report, () => process.exit(0)))
})

async function run(name: string, armed: Armed): Promise<Report> {
  const attack = attacks[name]
  if (attack === undefined) throw new Error(`there is no attack "${name}"`)
  return { statuses: [...(await attack(armed))] }
}
