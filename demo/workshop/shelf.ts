// Stock of finished goods, as read in the morning and tracked during the day.

import type { Books } from './books.ts'
import { storages } from './opening.ts'

export type Level = {
  readonly type: 'products' | 'materials'
  readonly id: number
  readonly amount: number
  readonly reserved: number
  readonly available: number
}

export class Shelf {
  #amounts = new Map<number, number>()

  async look(books: Books): Promise<void> {
    this.#amounts = new Map((await levelsAt(books, storages.goods)).map(({ id, amount }) => [id, amount]))
  }

  whole(id: number): number {
    return Math.max(0, Math.floor(this.#amounts.get(id) ?? 0))
  }

  has(id: number, amount: number): boolean {
    return (this.#amounts.get(id) ?? 0) >= amount
  }

  take(id: number, amount: number): void {
    this.#amounts.set(id, (this.#amounts.get(id) ?? 0) - amount)
  }

  put(id: number, amount: number): void {
    this.take(id, -amount)
  }
}

export async function levelsAt(books: Books, storageId: number): Promise<Level[]> {
  const answer = await books.ask('stock/browse', { by: 'storage', storage_id: storageId, limit: 1000 })
  return answer['stock'] as Level[]
}
