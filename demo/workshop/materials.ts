// What the workshop buys: units, suppliers, materials with their prices, and the resources used in production.

export const units = [
  ['m', 'metre'],
  ['m²', 'square metre'],
  ['l', 'litre'],
  ['kg', 'kilogram'],
  ['h', 'hour'],
  ['set', 'set'],
] as const
export type Unit = 'pcs' | (typeof units)[number][0]

export const suppliers = [
  {
    code: 'saw',
    name: 'Sägewerk Tannhof GmbH',
    email: 'order@tannhof.example',
    phone: '+49 7834 55120',
    address_real: 'Talstraße 18, 77709 Wolfach',
    manager_name: 'Jonas Tannhof',
    days: 8,
  },
  {
    code: 'board',
    name: 'Nordholz Plattenhandel',
    email: 'vertrieb@nordholz.example',
    phone: '+49 40 7700812',
    address_real: 'Hafenring 4, 21107 Hamburg',
    manager_name: 'Swantje Petersen',
    days: 6,
  },
  {
    code: 'iron',
    name: 'Beschlag & Co. KG',
    email: 'service@beschlag-co.example',
    phone: '+49 202 641900',
    address_real: 'Wupperufer 77, 42285 Wuppertal',
    manager_name: 'Mehmet Aydın',
    days: 4,
  },
  {
    code: 'oil',
    name: 'Leinöl Manufaktur Spree',
    email: 'kontor@leinoel-spree.example',
    phone: '+49 3546 22480',
    address_real: 'Mühlweg 2, 15907 Lübben',
    manager_name: 'Katja Noack',
    days: 5,
  },
  {
    code: 'cloth',
    name: 'Tessitura Bergamo S.r.l.',
    email: 'export@tessitura-bergamo.example',
    phone: '+39 035 219 4471',
    address_real: 'Via dei Tessitori 31, 24122 Bergamo',
    manager_name: 'Giulia Locatelli',
    days: 12,
  },
  {
    code: 'pack',
    name: 'Wellpappe Rheinland AG',
    email: 'bestellung@wellpappe-rl.example',
    phone: '+49 2131 80400',
    address_real: 'Am Güterbahnhof 9, 41460 Neuss',
    manager_name: 'Ralf Kessel',
    days: 3,
  },
] as const
export type SupplierCode = (typeof suppliers)[number]['code']

export type Material = {
  readonly code: string
  readonly sku: string
  readonly name: string
  readonly unit: Unit
  readonly price: number
  readonly supplier: SupplierCode
  readonly category: string
}

const material = (
  category: string,
  supplier: SupplierCode,
  code: string,
  sku: string,
  name: string,
  unit: Unit,
  price: number,
): Material => ({ code, sku, name, unit, price, supplier, category })

export const materials: readonly Material[] = [
  material('Timber', 'saw', 'oak', 'TIM-OAK-27', 'Oak board 27 mm, planed', 'm²', 92),
  material('Timber', 'saw', 'ash', 'TIM-ASH-27', 'Ash board 27 mm, planed', 'm²', 74),
  material('Timber', 'saw', 'walnut', 'TIM-WAL-27', 'Walnut board 27 mm, planed', 'm²', 148),
  material('Timber', 'saw', 'oakbar', 'TIM-OAK-60', 'Oak squared timber 60 × 60', 'm', 21.5),
  material('Timber', 'saw', 'beech', 'TIM-BEE-40', 'Beech squared timber 40 × 40', 'm', 9.8),
  material('Timber', 'saw', 'pine', 'TIM-PIN-24', 'Pine slat 24 × 70', 'm', 2.4),
  material('Boards', 'board', 'ply', 'BRD-PLY-18', 'Birch plywood 18 mm', 'm²', 38),
  material('Boards', 'board', 'ply9', 'BRD-PLY-09', 'Birch plywood 9 mm', 'm²', 22),
  material('Boards', 'board', 'veneer', 'BRD-VEN-OAK', 'Oak veneered board 19 mm', 'm²', 56),
  material('Boards', 'board', 'mdf', 'BRD-MDF-19', 'MDF 19 mm, white', 'm²', 17.5),
  material('Boards', 'board', 'glass', 'BRD-GLS-06', 'Safety glass 6 mm, cut to size', 'm²', 64),
  material('Boards', 'board', 'mirror', 'BRD-MIR-60', 'Mirror disc 60 cm', 'pcs', 24.9),
  material('Hardware', 'iron', 'runner', 'HW-RUN-450', 'Drawer runner 450 mm, soft close', 'set', 13.4),
  material('Hardware', 'iron', 'hinge', 'HW-HNG-110', 'Hinge 110°, soft close', 'pcs', 2.85),
  material('Hardware', 'iron', 'brass', 'HW-HDL-BRS', 'Handle, brushed brass', 'pcs', 7.9),
  material('Hardware', 'iron', 'screw', 'HW-SCR-440', 'Screw 4 × 40', 'pcs', 0.04),
  material('Hardware', 'iron', 'bolt', 'HW-BLT-M8', 'Bolt M8 × 60 with threaded insert', 'set', 0.62),
  material('Hardware', 'iron', 'dowel', 'HW-DOW-840', 'Beech dowel 8 × 40', 'pcs', 0.03),
  material('Hardware', 'iron', 'steelleg', 'HW-LEG-BLK', 'Steel leg frame, black', 'set', 118),
  material('Hardware', 'iron', 'glider', 'HW-GLD-24', 'Felt glider 24 mm', 'pcs', 0.09),
  material('Hardware', 'iron', 'bedfit', 'HW-BED-FIT', 'Bed fitting, four corners', 'set', 22),
  material('Finishes', 'oil', 'oil', 'FIN-OIL-NAT', 'Hard wax oil, natural', 'l', 26.5),
  material('Finishes', 'oil', 'whiteoil', 'FIN-OIL-WHT', 'Hard wax oil, white', 'l', 28),
  material('Finishes', 'oil', 'lacquer', 'FIN-LAC-MAT', 'Water lacquer, matt', 'l', 19.8),
  material('Finishes', 'oil', 'glue', 'FIN-GLU-D3', 'Wood glue D3', 'kg', 6.4),
  material('Finishes', 'oil', 'disc', 'FIN-DSC-180', 'Sanding disc 150 mm, grit 180', 'pcs', 0.55),
  material('Upholstery', 'cloth', 'grey', 'UPH-WOL-GRY', 'Wool fabric, basalt grey', 'm', 48),
  material('Upholstery', 'cloth', 'green', 'UPH-WOL-GRN', 'Wool fabric, moss green', 'm', 48),
  material('Upholstery', 'cloth', 'leather', 'UPH-LEA-COG', 'Leather, cognac', 'm²', 86),
  material('Upholstery', 'cloth', 'foam', 'UPH-FOM-40', 'Cold foam 40 mm', 'm²', 18.5),
  material('Upholstery', 'cloth', 'web', 'UPH-WEB-50', 'Elastic webbing 50 mm', 'm', 1.35),
  material('Packaging', 'pack', 'carton', 'PCK-CTN-S', 'Carton, small', 'pcs', 1.9),
  material('Packaging', 'pack', 'cartonl', 'PCK-CTN-L', 'Carton, large', 'pcs', 5.6),
  material('Packaging', 'pack', 'corner', 'PCK-COR', 'Corner protector', 'pcs', 0.22),
]

export type Resource = {
  readonly code: string
  readonly name: string
  readonly price: number
  readonly category: string
}
export const resources: readonly Resource[] = [
  { code: 'carpenter', name: 'Carpenter', price: 38, category: 'People' },
  { code: 'upholsterer', name: 'Upholsterer', price: 36, category: 'People' },
  { code: 'finisher', name: 'Surface finisher', price: 34, category: 'People' },
  { code: 'packer', name: 'Assembly and packing', price: 27, category: 'People' },
  { code: 'cnc', name: 'CNC machine', price: 55, category: 'Machines' },
  { code: 'planer', name: 'Planer and thicknesser', price: 22, category: 'Machines' },
]
