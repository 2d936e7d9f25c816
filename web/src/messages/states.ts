// Labels for the availability of goods. The labels of statuses come from the server's status tables.

export const states = {
  availability: { in_stock: 'In stock', expected: 'Expected', missing: 'Missing', none: 'No goods' },
} as const
