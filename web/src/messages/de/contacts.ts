// Texts of customers and suppliers.

import { plural, willBe } from './plural.ts'

/** What a kind is called as the object of a sentence. */
const object = (kind: string): string => (kind === 'Kunde' ? 'Kunden' : 'Lieferanten')

const records = (n: number): string => plural(n, 'Eintrag', 'Einträge')

export const contacts = {
  kinds: {
    customer: {
      title: 'Kunden',
      one: 'Kunde',
      add: 'Neuer Kunde',
      empty: 'Noch keine Kunden. Legen Sie den ersten hier oder mit einem Verkauf an.',
      documents: 'Verkäufe',
      total: 'Verkauft gesamt',
      open: 'Offene Verkäufe',
      last: 'Letzter Verkauf',
      newDocument: 'Neuer Verkauf',
      noDocuments: 'Noch keine Verkäufe an diesen Kunden.',
      all: 'Alle Verkäufe anzeigen',
    },
    supplier: {
      title: 'Lieferanten',
      one: 'Lieferant',
      add: 'Neuer Lieferant',
      empty: 'Noch keine Lieferanten. Legen Sie den ersten hier oder mit einem Einkauf an.',
      documents: 'Einkäufe',
      total: 'Eingekauft gesamt',
      open: 'Offene Einkäufe',
      last: 'Letzter Einkauf',
      newDocument: 'Neuer Einkauf',
      noDocuments: 'Noch keine Einkäufe bei diesem Lieferanten.',
      all: 'Alle Einkäufe anzeigen',
    },
  },
  field: {
    name: 'Name',
    email: 'E-Mail',
    phone: 'Telefon',
    address_real: 'Lieferadresse',
    address_legal: 'Rechtliche und Rechnungsadresse',
    country: 'Land',
    vat_number: 'USt-IdNr.',
    payment_days: 'Zahlungsziel',
    tax_treatment: 'Steuer',
    tax_reason: 'Grund',
    agreement: 'Vertrag',
    manager_name: 'Ansprechpartner',
    manager_post: 'Funktion',
    notes: 'Notizen',
  },
  paymentDaysHint: 'Tage, bis eine Rechnung fällig ist.',
  paymentDays: (n: number) => plural(n, 'Tag', 'Tage'),
  treatment: { taxed: 'Mit Steuer', exempt: 'Steuerfrei', reverse_charge: 'Reverse Charge' },
  taxReasonHint: 'Steht auf Dokumenten: die Rechtsgrundlage.',
  unpaid: 'Unbezahlt',
  unpaidOf: (n: number) => plural(n, 'Verkauf', 'Verkäufe'),
  inAll: (n: string) => `insgesamt ${n}`,
  edit: (kind: string) => `${object(kind)} bearbeiten`,
  write: 'E-Mail senden',
  call: 'Anrufen',
  delete: 'Löschen',
  deleteTitle: (name: string) => `„${name}“ löschen?`,
  deletes: (kind: string, name: string) =>
    `${kind} „${name}“ wird gelöscht; in bestehenden Belegen bleibt der Name sichtbar`,
  deleted: (name: string) => `„${name}“ gelöscht`,
  deleteManyTitle: (n: number) => `${records(n)} löschen?`,
  deleteMany: (n: number) => `${records(n)} ${willBe(n)} gelöscht. In bestehenden Belegen bleiben sie sichtbar.`,
  create: (kind: string) => `${object(kind)} anlegen`,
  saved: (name: string) => `„${name}“ gespeichert`,
  created: (name: string) => `„${name}“ angelegt`,
  number: 'Nummer',
  status: 'Status',
  payment: 'Zahlung',
  date: 'Datum',
  amount: 'Gesamt',
  shownOf: (shown: number, all: string) => `Letzte ${shown} von ${all}`,
} as const
