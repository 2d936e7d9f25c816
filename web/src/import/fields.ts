// What can be imported, the fields of each, and the headings by which columns are recognised.

export const choices = ['products', 'materials', 'components', 'prices', 'customers', 'suppliers', 'stock'] as const
export type Choice = (typeof choices)[number]

/** How a cell is read: a text, a number, several texts, or components. */
type Reading = 'text' | 'number' | 'names' | 'codes' | 'components'

type Field = { readonly name: FieldName; readonly reading: Reading; readonly isNeeded?: boolean }

export type FieldName =
  | 'name'
  | 'sku'
  | 'alt_skus'
  | 'barcodes'
  | 'unit'
  | 'price'
  | 'min_amount'
  | 'categories'
  | 'suppliers'
  | 'supplier_skus'
  | 'supplier_prices'
  | 'components'
  | 'component_sku'
  | 'component_type'
  | 'component_amount'
  | 'counted'
  | 'unit_cost'
  | 'type'
  | 'email'
  | 'phone'
  | 'address_real'
  | 'address_legal'
  | 'country'
  | 'vat_number'
  | 'payment_days'
  | 'agreement'
  | 'manager_name'
  | 'manager_post'
  | 'notes'

const text = (name: FieldName): Field => ({ name, reading: 'text' })
const needed = (name: FieldName, reading: Reading = 'text'): Field => ({ name, reading, isNeeded: true })

const ofItems: readonly Field[] = [
  text('name'),
  text('sku'),
  { name: 'barcodes', reading: 'codes' },
  text('unit'),
  { name: 'price', reading: 'number' },
  { name: 'min_amount', reading: 'number' },
  { name: 'categories', reading: 'names' },
  { name: 'suppliers', reading: 'names' },
  { name: 'supplier_skus', reading: 'names' },
  { name: 'supplier_prices', reading: 'names' },
  text('notes'),
]
const ofContacts: readonly Field[] = [
  needed('name'),
  ...(['email', 'phone', 'address_real', 'address_legal', 'country', 'vat_number'] as const).map(text),
  { name: 'payment_days', reading: 'number' },
  ...(['agreement', 'manager_name', 'manager_post', 'notes'] as const).map(text),
]

export const fieldsOf: Readonly<Record<Choice, readonly Field[]>> = {
  products: [
    ...ofItems.slice(0, 2),
    { name: 'alt_skus', reading: 'codes' },
    ...ofItems.slice(2, -1),
    { name: 'components', reading: 'components' },
    text('notes'),
  ],
  materials: ofItems,
  components: [needed('sku'), needed('component_sku'), text('component_type'), needed('component_amount', 'number')],
  prices: [needed('sku'), needed('price', 'number')],
  customers: ofContacts,
  suppliers: ofContacts,
  stock: [needed('sku'), text('type'), needed('counted', 'number'), { name: 'unit_cost', reading: 'number' }],
}

/** The section of the server's method. */
export const kindOf = (choice: Choice): 'products' | 'materials' | 'customers' | 'suppliers' | 'stock' =>
  choice === 'components' || choice === 'prices' ? 'products' : choice

/** Headings in English, German, French and Russian, without case, accents, spaces and signs. The first that fits is taken. */
const words: Readonly<Record<FieldName, string>> = {
  name: 'name title product productname item itemname article description bezeichnung artikel artikelname artikelbezeichnung produkt produktname material materialname kunde lieferant firma nom produit designation libelle client fournisseur название имяилиназвание имя наименование товар продукт материал номенклатура клиент покупатель поставщик контрагент company companyname customer customername supplier suppliername vendor',
  sku: 'sku code itemcode productcode itemno itemnumber partnumber articlenumber reference artikelnummer artikelnr artnr materialnummer bestellnummer reference ref codearticle артикул код кодтовара productsku artikelnummerdesprodukts артикултовара materialsku',
  alt_skus:
    'altskus alternativeskus othercodes weitereartikelnummern alternativeartikelnummern autresreferences другиеартикулы дополнительныеартикулы',
  barcodes: 'barcodes barcode ean ean13 gtin upc strichcode strichcodes codebarres codesbarres штрихкод штрихкоды',
  unit: 'unit units uom unitofmeasure einheit mengeneinheit me unite unitedemesure ед единица единицаизмерения едизм',
  price:
    'price saleprice salesprice unitprice sellingprice purchaseprice cost preis verkaufspreis vkpreis vk einkaufspreis ekpreis ek nettopreis prix prixdevente prixdachat prixunitaire tarif цена закупочнаяцена ценапродажи ценазакупки стоимость',
  min_amount:
    'minamount minimum minimumstock minstock reorderpoint mindestbestand meldebestand mindestmenge stockminimum stockmini минимум минимальныйостаток неснижаемыйостаток',
  categories:
    'categories category group productgroup kategorie kategorien warengruppe artikelgruppe gruppe categorie categories famille категория категории группа',
  suppliers: 'suppliers supplier vendor lieferant lieferanten hersteller fournisseur fournisseurs поставщик поставщики',
  supplier_skus:
    'supplierskus suppliersku artikelnummernderlieferanten suppliercode vendorcode lieferantenartikelnummer lieferantennummer lieferantenartnr referencefournisseur артикулпоставщика артикулыпоставщиков',
  supplier_prices:
    'supplierprices supplierprice preisederlieferanten vendorprice lieferantenpreis lieferantenpreise prixfournisseur ценапоставщика ценыпоставщиков',
  components:
    'components bom billofmaterials recipe stuckliste rezeptur bestandteile komponenten nomenclature composants состав компоненты спецификация',
  component_sku:
    'componentsku component componentcode materialsku material part partnumber rohstoff komponente bestandteil teil artikelnummerbestandteil artikelnummerderkomponente artikelnummermaterial composant referencecomposant компонент артикулкомпонента материал артикулматериала',
  component_type:
    'componenttype typeofcomponent type art typ bestandteilart artderkomponente typecomposant типкомпонента тип вид',
  component_amount:
    'amount quantity qty quantityperproduct componentamount componentquantity menge anzahl quantite qte количество колво норма расход',
  counted:
    'counted vorhanden вналичии quantity qty amount stock onhand instock openingstock inventory bestand menge anzahl anfangsbestand lagerbestand gezahlt istbestand stock quantite qte stockinitial количество колво остаток остатки начальныйостаток наличие',
  unit_cost:
    'unitcost costperunit cost purchaseprice price stuckkosten einstandspreis einkaufspreis ekpreis ek preis coutunitaire prixdachat prix себестоимость себестоимостьединицы закупочнаяцена ценазакупки цена',
  type: 'type kind itemtype art typ typearticle тип вид',
  email: 'email mail emailaddress emailadresse courriel adressemail почта элпочта электроннаяпочта емейл',
  phone: 'phone telephone phonenumber mobile tel telefon telefonnummer mobil handy телефон мобильный тел',
  address_real:
    'address deliveryaddress shippingaddress street adresse lieferadresse anschrift adressedelivraison адрес адресдоставки',
  address_legal:
    'legaladdress billingaddress legalandbillingaddress invoiceaddress rechnungsadresse rechtlicheundrechnungsadresse firmenadresse adressedefacturation юридическийадрес юридическийадресонжедлясчетов юрадрес',
  country: 'country countrycode land landercode pays страна кодстраны',
  vat_number:
    'vatnumber vatid vat taxid ustidnr ustid umsatzsteuerid umsatzsteueridentnummer numerodetva tva номерндс инн',
  payment_days:
    'paymentterm paymentterms paymentdays zahlungsziel zahlungsfrist delaidepaiement срокоплаты отсрочка отсрочкаплатежа',
  agreement: 'agreement contract vertrag contrat договор',
  manager_name:
    'manager managername contact contactperson contactname ansprechpartner kontakt kontaktperson responsable interlocuteur менеджер контактноелицо ответственный',
  manager_post: 'managerposition position post jobtitle funktion stelle fonction poste должность',
  notes:
    'notes note comment comments remarks remark notiz notizen bemerkung bemerkungen anmerkung kommentar remarque remarques commentaire примечание примечания комментарий заметки',
}

/** Letters and digits, without case and accents. */
export const plainHeading = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\([^)]*\)/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')

const plainWords: ReadonlyMap<FieldName, readonly string[]> = new Map(
  Object.entries(words).map(([name, text]) => [name as FieldName, text.split(' ').map((word) => plainHeading(word))]),
)

export type Mapping = readonly (FieldName | undefined)[]

/** The field of each column: the remembered one, otherwise that of its heading. Each field once. */
export function suggestMapping(
  choice: Choice,
  headings: readonly string[],
  remembered: ReadonlyMap<string, string> = new Map(),
): Mapping {
  const names = fieldsOf[choice].map(({ name }) => name)
  const taken = new Set<FieldName>()
  const take = (found: FieldName | undefined): FieldName | undefined => {
    if (found === undefined || taken.has(found)) return undefined
    taken.add(found)
    return found
  }
  const known = headings.map((heading) => take(names.find((name) => name === remembered.get(plainHeading(heading)))))
  const rank = (name: FieldName, heading: string): number => plainWords.get(name)?.indexOf(plainHeading(heading)) ?? -1
  // The best word first: `SKU` before `Code`, whatever their order in the file.
  const fits = headings
    .flatMap((heading, at) => names.map((name) => ({ at, name, rank: rank(name, heading) })))
    .filter((one) => one.rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)
  const mapping = [...known]
  for (const { at, name } of fits) if (mapping[at] === undefined) mapping[at] = take(name)
  return mapping
}

/** What the server remembers of a mapping. */
export const headingsOf = (headings: readonly string[], mapping: Mapping): { heading: string; field: string }[] =>
  headings.flatMap((heading, at) => {
    const key = plainHeading(heading).slice(0, 255)
    const field = mapping[at]
    return field === undefined || key === '' ? [] : [{ heading: key, field }]
  })
