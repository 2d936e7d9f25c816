// Texts of the dashboard.

import { count } from '../../format.ts'
import { plural } from './plural.ts'

const articles = (n: number): string => `${count(n)} Artikel`
const sales = (n: number): string => plural(n, 'Verkauf', 'Verkäufe')

export const dashboard = {
  title: 'Start',
  greeting: {
    morning: (name: string) => `Guten Morgen, ${name}`,
    afternoon: (name: string) => `Guten Tag, ${name}`,
    evening: (name: string) => `Guten Abend, ${name}`,
  },
  today: {
    toShip: (n: number) => `${sales(n)} versandbereit`,
    toMake: (n: number) => `${plural(n, 'Fertigung', 'Fertigungen')} offen`,
    low: (n: number) => `${articles(n)} knapp`,
    negative: (n: number) => `${count(n)} unter null`,
    nothing: 'Zurzeit ist nichts zu tun',
  },
  firstSteps: {
    title: 'Erste Schritte',
    progress: (done: number, all: number) => `${done} von ${all} erledigt`,
    dismiss: 'Ausblenden',
    done: 'Erledigt',
    steps: {
      company: {
        title: 'Firmendaten prüfen',
        why: 'Währung, Zeitzone und die Nummern Ihrer Verkäufe.',
        label: 'Daten öffnen',
      },
      items: {
        title: 'Anlegen, was Sie fertigen und kaufen',
        why: 'Produkte, die Materialien dafür und ihre Preise.',
        label: 'Produkt anlegen',
      },
      stock: {
        title: 'Anfangsbestand erfassen',
        why: 'Zählen Sie, was im Regal liegt. Mit den Kosten dazu stimmen Ihre Margen.',
        label: 'Bestand zählen',
      },
      sale: {
        title: 'Ersten Verkauf erfassen',
        why: 'Kontor reserviert die Ware und zeigt, was fehlt.',
        label: 'Neuer Verkauf',
      },
      shipment: {
        title: 'Ware versenden',
        why: 'Öffnen Sie den Verkauf und wählen Sie „Versenden“: Die Ware verlässt das Lager.',
        label: 'Verkäufe öffnen',
      },
      colleague: {
        title: 'Jemanden einladen',
        why: 'Mitarbeiter zählen, fertigen und versenden und sehen keine Beträge.',
        label: 'Einladen',
      },
      shop: {
        title: 'Shop verbinden',
        why: 'Bestellungen kommen von selbst an, und der Shop kennt Ihren Bestand.',
        label: 'Verbinden',
      },
    },
  },
  exampleData: {
    offer: 'Nur mal schauen? Füllen Sie Kontor mit einer kleinen Werkstatt. Sie lässt sich wieder entfernen.',
    add: 'Mit Beispieldaten ausprobieren',
    added: 'Beispieldaten hinzugefügt',
    present: 'Sie sehen Beispieldaten.',
    remove: 'Beispieldaten entfernen',
    removing:
      'Entfernt die Artikel, Kontakte und Belege des Beispiels. Was Sie seitdem geändert oder verwendet haben, bleibt.',
    removed: 'Beispieldaten entfernt',
    leftTitle: 'Ein Teil der Beispieldaten bleibt',
    left: (n: number) => `${plural(n, 'Datensatz', 'Datensätze')}: seitdem geändert oder verwendet, oder dafür nötig.`,
  },
  figures: 'Kennzahlen',
  revenue: 'Umsatz, 30 Tage',
  margin: 'Marge, 30 Tage',
  against: (change: string) => `${change} zum Zeitraum davor`,
  before: (sum: string) => `Davor ${sum}`,
  beforeWith: (sum: string, leftOut: string) => `Davor ${sum} (${leftOut})`,
  toShip: 'Versandbereit',
  toShipHint: 'alles auf Lager',
  unpaid: 'Unbezahlt',
  unpaidHint: sales,
  low: 'Knapper Bestand',
  lowHint: 'unter dem Minimum',
  negative: 'Negativer Bestand',
  negativeHint: 'unter null',
  chart: {
    title: 'Umsatz pro Tag',
    legend: 'Balken: letzte 30 Tage · Striche: 30 Tage davor',
    label: 'Umsatz und Marge der letzten 30 Tage, verglichen mit dem Umsatz der 30 Tage davor',
    revenue: 'Umsatz',
    margin: 'Marge',
    former: 'Umsatz, 30 Tage davor',
    asTable: 'Tabelle',
    asChart: 'Diagramm',
    view: 'Ansicht',
    day: 'Tag',
    formerDay: 'Vergleichstag',
    none: 'Keine Verkäufe in den letzten 60 Tagen.',
  },
  shipList: 'Zu versenden',
  noShip: 'Zurzeit ist nichts zu versenden.',
  all: 'Alle anzeigen',
  allOf: (n: string) => `Alle ${n}`,
  makeList: 'Zu fertigen',
  noMake: 'Nichts geplant.',
  board: 'Board',
  ready: 'Bereit',
  missing: (n: number) => (n === 1 ? '1 Artikel fehlt' : `${count(n)} Artikel fehlen`),
  buyList: 'Zu bestellen',
  noBuy: 'Kein Artikel liegt unter dem Mindestbestand.',
  buyFrom: (supplier: string, n: number) => `${supplier} · ${articles(n)}`,
  noSupplier: 'Ohne Lieferant',
  atPrice: (sum: string) => `etwa ${sum}`,
  order: 'Nachbestellen',
  stockValue: 'Bestandswert',
  stockValueHint: 'zu Durchschnittskosten',
  newSale: 'Neuer Verkauf',
} as const
