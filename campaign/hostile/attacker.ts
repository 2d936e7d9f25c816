// The attacker as a separate process, so that it does not disturb the measurement. It receives one attack and reports the responses it got.

import { type Abused, abuse } from './abuses.ts'
import { type Armed, attacks } from './attacks.ts'
import type { Statuses } from './sockets.ts'

export type Order =
  | { readonly attack: string; readonly armed: Armed }
  | { readonly attack: string; readonly abused: Abused }
export type Report = { readonly statuses: readonly (readonly [number, number])[] }

process.on('message', (order: Order) => {
  void run(order).then((statuses) => process.send?.({ statuses: [...statuses] }, () => process.exit(0)))
})

async function run(order: Order): Promise<Statuses> {
  if ('abused' in order) return await abuse(order.attack, order.abused)
  const attack = attacks[order.attack]
  if (attack === undefined) throw new Error(`there is no attack "${order.attack}"`)
  return await attack(order.armed)
}
