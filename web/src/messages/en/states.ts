// Labels of statuses, and for the availability of items.

export const states = {
  availability: { in_stock: 'In stock', expected: 'Expected', missing: 'Missing', none: 'No items' },
  statuses: {
    sale: {
      new: 'New',
      packed: 'Packed',
      partlyShipped: 'Partially shipped',
      shipped: 'Shipped',
      canceled: 'Canceled',
    },
    quote: { draft: 'Draft', sent: 'Sent', accepted: 'Accepted', declined: 'Declined' },
    purchase: {
      new: 'New',
      ordered: 'Ordered',
      partlyReceived: 'Partially received',
      received: 'Received',
      canceled: 'Canceled',
    },
    production: { planned: 'Planned', inProgress: 'In progress', done: 'Done', canceled: 'Canceled' },
    transfer: { new: 'New', inTransit: 'In transit', received: 'Received', canceled: 'Canceled' },
    audit: { counting: 'Counting', completed: 'Completed', canceled: 'Canceled' },
    payment: { unpaid: 'Unpaid', partlyPaid: 'Partially paid', paid: 'Paid' },
  },
} as const
