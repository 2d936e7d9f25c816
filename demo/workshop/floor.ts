// Shared by all parts of the workshop: its books, its agenda, its stock, its catalog, and random numbers.

import type { Dice } from '../random.ts'
import type { Books, Hand } from './books.ts'
import type { Agenda } from './calendar.ts'
import type { Workshop } from './opening.ts'
import type { Shelf } from './shelf.ts'

export type Floor = {
  readonly books: Books
  readonly agenda: Agenda
  readonly shelf: Shelf
  readonly workshop: Workshop
  readonly dice: Dice
}

export function idOf({ workshop }: Floor, code: string): number {
  const id = workshop.ids.get(code)
  if (id === undefined) throw new Error(`nothing is called ${code}`)
  return id
}

/** Plans a task for a day; it is never done when the day is after today. */
export function planAct(floor: Floor, day: string, minute: number, by: Hand, path: string, body: object): void {
  floor.agenda.plan(day, minute, async (at) => {
    await floor.books.act(by, at, path, body)
  })
}

export const money = (amount: number): number => Math.round(amount * 100) / 100
