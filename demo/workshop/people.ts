// The workshop's customers: companies that order in quantity and pay later, and people who order in the shop.

import type { Dice } from '../random.ts'

export type Customer = {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly address_real: string
  readonly manager_name?: string
  readonly notes?: string
  readonly isCompany: boolean
  /** Relative frequency. */
  readonly weight: number
}

const companies = [
  'Café Morgenrot',
  'Hotel Alte Post',
  'Restaurant Seeblick',
  'Praxis Dr. Yılmaz',
  'Architekturbüro Brandt + Sohn',
  'Kita Sonnenschein e. V.',
  'Weinhandlung Rebstock',
  'Studio Nord Interiors',
  'Coworking Kontorhaus',
  'Pension am Deich',
  'Gasthof Zum Hirschen',
  'Buchhandlung Seitenweise',
  'Notariat Lenz',
  'Yogaraum Lichtung',
  'Bistro Quai 7',
  'Ferienhof Ostsee GbR',
  'Hotel Vier Jahreszeiten an der Mole, Verwaltungs- und Betriebsgesellschaft mbH',
  'Kanzlei Ziegler & Partner',
  'Galerie Blau',
  'Bäckerei Kornblume',
  'Stadtbibliothek Wolfenbüttel',
  'Tonstudio Nachhall',
  'Hofladen Erlenbruch',
  'Zahnärzte am Markt',
  'Einrichtungshaus Vogel',
  'Loft 21 Apartments',
  'Teehaus Shizuka',
  'Werbeagentur Funkenflug',
  'Landgut Weidenau',
  'Fahrradcafé Speiche',
  'Volkshochschule Goslar',
  'Atelier Lindqvist',
  'Museum für Handwerk',
  'Rösterei Kontrast',
]

const firstNames =
  'Anna Ben Clara David Elif Finn Greta Hannes Ida Jakob Katharina Lars Mila Noah Olga Paul Rosa Samuel Theo Ulrike Viktor Wiebke Yasmin Zoe Marie Henrik Lena Mateusz Nora Oskar'
const lastNames =
  'Albrecht Becker Celik Dietrich Ebert Fischer Graf Hoffmann Ivanova Jansen Koch Lehmann Meier Neumann Otto Peters Quandt Richter Schäfer Tietz Ullmann Voigt Wagner Xu Young Zimmermann'
const streets =
  'Lindenallee Gartenstraße Am Mühlbach Bahnhofstraße Kirchweg Feldstraße Schillerstraße Hauptstraße Rosenweg Waldstraße'
const places =
  '38100 Braunschweig,30159 Hannover,20095 Hamburg,10115 Berlin,04109 Leipzig,50667 Köln,80331 München,28195 Bremen,99084 Erfurt,34117 Kassel'

const slug = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24)

export function customersOf(dice: Dice, count: number): Customer[] {
  const streetNames = streets.match(/Am \S+|\S+/g) ?? []
  const address = (): string => `${dice.pick(streetNames)} ${dice.whole(1, 120)}, ${dice.pick(places.split(','))}`
  const phone = (): string => `+49 ${dice.whole(150, 179)} ${dice.whole(2_000_000, 9_899_999)}`
  const names = new Set<string>()
  while (names.size < count - companies.length)
    names.add(`${dice.pick(firstNames.split(' '))} ${dice.pick(lastNames.split(' '))}`)
  return [
    ...companies.map((name) => ({
      name,
      email: `einkauf@${slug(name)}.example`,
      phone: phone(),
      address_real: address(),
      manager_name: `${dice.pick(firstNames.split(' '))} ${dice.pick(lastNames.split(' '))}`,
      notes: dice.chance(0.3)
        ? dice.pick(['Deliver before 11 a.m.', 'Invoice by e-mail only.', 'Ramp at the back.'])
        : '',
      isCompany: true,
      weight: dice.between(0.3, 3) ** 2,
    })),
    ...[...names].map((name) => ({
      name,
      email: `${slug(name).replace('-', '.')}@mail.example`,
      phone: phone(),
      address_real: address(),
      isCompany: false,
      weight: dice.between(0.4, 1.6),
    })),
  ]
}
