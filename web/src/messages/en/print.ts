// Texts about printing documents.

export const print = {
  print: 'Print',
  orderConfirmation: 'Order confirmation',
  packingSlip: 'Packing slip',
  slipOfShipment: (shipment: number) => `Packing slip of shipment ${shipment}`,
  purchaseOrder: 'Purchase order',
  jobSheet: 'Job sheet',
  labels: 'Labels',
  language: 'Language',
  ofCompany: 'As set for the company',
  preview: 'Preview',
  download: 'Download',
  count: 'Quantity',
  sheet: 'Sheet',
  sheets: {
    'a4-3x8': 'A4, 3 × 8 labels, 70 × 37 mm',
    'a4-3x7': 'A4, 3 × 7 labels, 63.5 × 38.1 mm',
    'letter-3x10': 'Letter, 3 × 10 labels, 2⅝ × 1 in',
    'letter-2x5': 'Letter, 2 × 5 labels, 4 × 2 in',
    'roll-62': 'Label printer, 62 × 29 mm',
  },
  code: 'Code',
  codes: { auto: 'Barcode that fits', code128: 'Code 128', qr: 'QR code' },
  first: 'Start at label',
  firstHint: 'On a sheet that is already used in part',
  scale: 'Print labels at 100 %, without “Fit to page”.',
}
