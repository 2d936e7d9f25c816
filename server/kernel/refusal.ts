// The one expected error: a request that is answered with a public text. Anything else that is thrown is a fault.

export class Refusal extends Error {
  readonly status: number

  constructor(text: string, status = 400) {
    super(text)
    this.name = 'Refusal'
    this.status = status
  }
}

export function refuse(text: string, status = 400): never {
  throw new Refusal(text, status)
}
