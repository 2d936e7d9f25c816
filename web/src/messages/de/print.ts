// Texts about printing documents.

export const print = {
  print: 'Drucken',
  orderConfirmation: 'Auftragsbestätigung',
  packingSlip: 'Lieferschein',
  slipOfShipment: (shipment: number) => `Lieferschein der Sendung ${shipment}`,
  purchaseOrder: 'Bestellung',
  jobSheet: 'Fertigungsauftrag',
  labels: 'Etiketten',
  language: 'Sprache',
  ofCompany: 'Wie für die Firma eingestellt',
  preview: 'Vorschau',
  download: 'Herunterladen',
  count: 'Menge',
  sheet: 'Bogen',
  sheets: {
    'a4-3x8': 'A4, 3 × 8 Etiketten, 70 × 37 mm',
    'a4-3x7': 'A4, 3 × 7 Etiketten, 63,5 × 38,1 mm',
    'letter-3x10': 'Letter, 3 × 10 Etiketten, 2⅝ × 1 Zoll',
    'letter-2x5': 'Letter, 2 × 5 Etiketten, 4 × 2 Zoll',
    'roll-62': 'Etikettendrucker, 62 × 29 mm',
  },
  code: 'Code',
  codes: { auto: 'Passender Strichcode', code128: 'Code 128', qr: 'QR-Code' },
  first: 'Beginnen bei Etikett',
  firstHint: 'Auf einem Bogen, der schon teilweise verwendet ist',
  scale: 'Drucken Sie Etiketten mit 100 %, ohne „An Seite anpassen“.',
}
