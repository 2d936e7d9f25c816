// Texts about lines that were skipped in documents because their item was not found.

import { count } from '../../format.ts'
import { plural } from './plural.ts'

const documentsOf = (sales: number, purchases: number): string =>
  [
    ...(sales > 0 || purchases === 0 ? [plural(sales, 'Verkauf', 'Verkäufe')] : []),
    ...(purchases > 0 ? [plural(purchases, 'Einkauf', 'Einkäufe')] : []),
  ].join(' und ')

export const toFix = {
  title: 'Zu klären',
  help: 'Diese Positionen von Verkäufen und Einkäufen wurden übersprungen, weil kein Artikel ihre Artikelnummer oder ID hat.',
  closedHelp:
    'Diese Belege sind versendet, erhalten oder storniert; eine Zuordnung ändert sie nicht. Verwerfen Sie, was erledigt ist.',
  tabs: 'Belege',
  waiting: 'Offene Belege',
  closed: 'Abgeschlossen oder storniert',
  none: 'Nichts zu klären. Kein offener Beleg hat übersprungene Positionen.',
  noneClosed: 'Kein abgeschlossener oder stornierter Beleg hat übersprungene Positionen.',
  noneFound: (search: string) => `Keine übersprungene Position enthält „${search}“ in Artikelnummer oder ID.`,
  showAll: 'Alle anzeigen',
  incomplete: 'Hier sind nicht alle Positionen aufgeführt. Dies sind die neuesten.',
  kinds: { product: 'Produkt', material: 'Material' },
  sku: (sku: string) => `Artikelnr. ${sku}`,
  id: (id: string) => `ID ${id}`,
  externalId: (id: string, connection: string) => `externe ID ${id} von ${connection}`,
  screens: 'dieser App',
  sum: (sales: number, purchases: number, amount: string, total: string) =>
    `${documentsOf(sales, purchases)} · Menge ${amount} · ${total}`,
  document: {
    order: (num: string) => `Verkauf ${num}`,
    purchase: (num: string) => `Einkauf ${num}`,
  },
  ofDocument: (contact: string, day: string) => `${contact}, ${day}`,
  more: (n: number) => `und ${count(n)} weitere`,
  inCatalog: 'Inzwischen gibt es einen Artikel mit dieser Nummer:',
  assignTo: (name: string) => `„${name}“ zuordnen`,
  assign: 'Artikel zuordnen',
  assignOf: (code: string) => `Artikel zuordnen: ${code}`,
  assignTitle: (code: string) => `${code} einem Artikel zuordnen`,
  create: 'Artikel anlegen',
  createOf: (code: string) => `Artikel anlegen: ${code}`,
  createAndAssign: 'Anlegen und zuordnen',
  dismiss: 'Verwerfen',
  dismissOf: (code: string) => `Verwerfen: ${code}`,
  item: 'Artikel',
  itemNeeded: 'Wählen Sie einen Artikel.',
  effect: (amount: string, sales: number, purchases: number) =>
    `Ergänzt ${documentsOf(sales, purchases)} um insgesamt ${amount}.${sales > 0 ? ' Verkaufte Artikel werden reserviert.' : ''}`,
  learns: {
    product: 'Künftige Anfragen mit dieser Nummer finden den Artikel.',
    material: 'Ein Material ohne Artikelnummer erhält diese.',
  },
  running: (code: string, done: number, all: number) => `${code}: ${count(done)} von ${count(all)}`,
  assigned: (code: string, documents: number) => `${code} in ${plural(documents, 'Beleg', 'Belegen')} zugeordnet`,
  dismissed: (code: string, documents: number) => `${code} in ${plural(documents, 'Beleg', 'Belegen')} verworfen`,
} as const
