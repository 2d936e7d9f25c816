// Texts of stocktakes and the count sheet. The API calls a stocktake an audit.

import { auditStatus } from '../../statuses.ts'
import { plural } from './plural.ts'

const items = (n: number): string => plural(n, 'Artikel', 'Artikel')

export const audits = {
  title: 'Inventuren',
  one: (num: string) => `Inventur ${num}`,
  add: 'Neue Inventur',
  empty: 'Noch keine Inventuren. Zählen Sie Ihren Bestand, und Kontor korrigiert die gebuchten Mengen.',
  storage: 'Lagerort',
  date: 'Abschluss',
  value: 'Differenz',
  count: 'Zählen',
  goOn: 'Weiter zählen',
  complete: 'Abschließen',
  reopen: 'Wieder öffnen',
  cancel: 'Stornieren',
  isDone: 'Die Inventur ist abgeschlossen',
  nothing: 'Keine Abweichungen vom gebuchten Bestand.',
  differs: (n: number) => `${items(n)} ${n === 1 ? 'weicht' : 'weichen'} vom gebuchten Bestand ab.`,
  surplus: 'Überschuss',
  shortage: 'Fehlbestand',
  net: 'Saldo',
  counted: (n: number) => `${items(n)} gezählt`,
  uncounted: (n: number) =>
    n === 1
      ? '1 Artikel mit Bestand an diesem Lagerort wurde nicht gezählt und bleibt unverändert.'
      : `${n} Artikel mit Bestand an diesem Lagerort wurden nicht gezählt und bleiben unverändert.`,
  column: {
    item: 'Artikel',
    expected: 'Soll',
    counted: 'Gezählt',
    difference: 'Differenz',
    value: 'Wert',
    at: 'Zeit',
  },
  lines: 'Gezählt',
  notCounted: 'Nicht gezählt',
  allCounted: 'Alles, was hier gebuchten Bestand hat, wurde gezählt.',
  asks: {
    [auditStatus.counting]: (num: string) => ({
      title: `Inventur ${num} wieder öffnen?`,
      lead: `Inventur ${num} wird wieder geöffnet`,
      label: 'Wieder öffnen',
    }),
    [auditStatus.completed]: (num: string) => ({
      title: `Inventur ${num} abschließen?`,
      lead: `Inventur ${num} wird abgeschlossen`,
      label: 'Abschließen',
    }),
    [auditStatus.canceled]: (num: string) => ({
      title: `Inventur ${num} stornieren?`,
      lead: `Inventur ${num} wird storniert`,
      label: 'Stornieren',
      danger: true,
    }),
  },
  done: {
    [auditStatus.counting]: (num: string) => `Inventur ${num} wieder geöffnet`,
    [auditStatus.completed]: (num: string) => `Inventur ${num} abgeschlossen`,
    [auditStatus.canceled]: (num: string) => `Inventur ${num} storniert`,
  },
  deleting: (num: string) => ({
    title: `Inventur ${num} löschen?`,
    lead: `Inventur ${num} wird gelöscht`,
    label: 'Löschen',
  }),
  deleted: (num: string) => `Inventur ${num} gelöscht`,
  more: (n: number) => `und ${plural(n, 'weiterer Artikel', 'weitere Artikel')}`,
  sheet: {
    title: (place: string) => `Zählung: ${place}`,
    new: 'Neue Zählung',
    choose: 'Wo zählen Sie?',
    begin: 'Die Inventur beginnt mit der ersten Menge, die Sie eingeben.',
    search: 'Scannen oder Name, Nummer oder Strichcode eingeben',
    scanAdds: 'Jeder Scan zählt 1 dazu',
    showBooks: 'Sollmengen anzeigen',
    progress: (done: number, all: number) => `${done} von ${all} gezählt`,
    cuts: { open: 'Offen', counted: 'Gezählt', all: 'Alle' },
    field: (name: string) => `Gezählte Menge: ${name}`,
    books: (amount: string) => `Soll ${amount}`,
    difference: (amount: string) => `Differenz ${amount}`,
    same: 'Wie erwartet',
    saved: 'Gespeichert',
    saving: 'Wird gespeichert…',
    waiting: 'Noch nicht gespeichert',
    failed: (why: string) => `Nicht gespeichert: ${why} Neuer Versuch läuft…`,
    invalid: 'Geben Sie eine Zahl ein, 0 oder größer',
    nothing: (typed: string) => `Kein Artikel zu „${typed}“ gefunden.`,
    none: 'Hier ist kein Bestand gebucht. Scannen oder tippen Sie ein, was Sie finden.',
    noneOpen: 'Alles ist gezählt.',
    noneCounted: 'Noch nichts gezählt.',
    review: 'Prüfen',
    reviewHint: 'Differenzen prüfen, dann die Inventur abschließen.',
    added: (name: string, amount: string) => `${name}: ${amount}`,
    closed: 'Diese Inventur ist geschlossen. Öffnen Sie sie wieder, um weiter zu zählen.',
    openAlready: 'Für diesen Lagerort läuft schon eine Inventur',
    goOnWith: (num: string, day: string, lines: number) => `${num} vom ${day} fortsetzen (${items(lines)} gezählt)`,
    all: 'Hier sind nicht alle Artikel aufgeführt. Suchen Sie nach den übrigen.',
  },
} as const
