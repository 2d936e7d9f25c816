// Labels of statuses, and for the availability of items.

export const states = {
  availability: { in_stock: 'Auf Lager', expected: 'Erwartet', missing: 'Fehlt', none: 'Keine Artikel' },
  statuses: {
    sale: {
      new: 'Neu',
      packed: 'Gepackt',
      partlyShipped: 'Teilweise versendet',
      shipped: 'Versendet',
      canceled: 'Storniert',
    },
    quote: { draft: 'Entwurf', sent: 'Versendet', accepted: 'Angenommen', declined: 'Abgelehnt' },
    purchase: {
      new: 'Neu',
      ordered: 'Bestellt',
      partlyReceived: 'Teilweise erhalten',
      received: 'Erhalten',
      canceled: 'Storniert',
    },
    production: { planned: 'Geplant', inProgress: 'In Arbeit', done: 'Fertig', canceled: 'Storniert' },
    transfer: { new: 'Neu', inTransit: 'Unterwegs', received: 'Erhalten', canceled: 'Storniert' },
    audit: { counting: 'Zählung läuft', completed: 'Abgeschlossen', canceled: 'Storniert' },
    payment: { unpaid: 'Unbezahlt', partlyPaid: 'Teilbezahlt', paid: 'Bezahlt' },
  },
} as const
