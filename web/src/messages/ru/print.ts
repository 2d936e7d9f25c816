// Texts about printing documents.

export const print = {
  print: 'Печать',
  orderConfirmation: 'Подтверждение заказа',
  packingSlip: 'Упаковочный лист',
  slipOfShipment: (shipment: number) => `Упаковочный лист отгрузки ${shipment}`,
  purchaseOrder: 'Заказ поставщику',
  jobSheet: 'Производственное задание',
  labels: 'Этикетки',
  language: 'Язык',
  ofCompany: 'Как задано для компании',
  preview: 'Просмотр',
  download: 'Скачать',
  count: 'Количество',
  sheet: 'Лист',
  sheets: {
    'a4-3x8': 'A4, 3 × 8 этикеток, 70 × 37 мм',
    'a4-3x7': 'A4, 3 × 7 этикеток, 63,5 × 38,1 мм',
    'letter-3x10': 'Letter, 3 × 10 этикеток, 2⅝ × 1 дюйм',
    'letter-2x5': 'Letter, 2 × 5 этикеток, 4 × 2 дюйма',
    'roll-62': 'Принтер этикеток, 62 × 29 мм',
  },
  code: 'Код',
  codes: { auto: 'Подходящий штрихкод', code128: 'Code 128', qr: 'QR-код' },
  first: 'Начать с этикетки',
  firstHint: 'На листе, который уже частично использован',
  scale: 'Печатайте этикетки в масштабе 100 %, без подгонки под страницу.',
}
