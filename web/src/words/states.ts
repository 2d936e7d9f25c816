// Names of the states of documents, by their code.

export const states = {
  sale: { 0: 'New', 1: 'Packed', 2: 'Partially shipped', 3: 'Shipped', 4: 'Canceled' },
  purchase: { 0: 'New', 1: 'Ordered', 2: 'Partially received', 3: 'Received', 4: 'Canceled' },
  production: { 0: 'Planned', 1: 'In progress', 3: 'Done', 4: 'Canceled' },
  transfer: { 0: 'New', 1: 'In transit', 3: 'Received', 4: 'Canceled' },
  audit: { 0: 'Counting', 3: 'Completed', 4: 'Canceled' },
  payment: { 0: 'Unpaid', 1: 'Partially paid', 2: 'Paid' },
  availability: { in_stock: 'In stock', expected: 'Expected', missing: 'Missing', none: 'No goods' },
} as const
