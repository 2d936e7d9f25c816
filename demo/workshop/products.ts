// What the workshop makes and sells: parts that go into other products, and the products themselves with their components.

export type Product = {
  readonly code: string
  readonly sku: string
  readonly name: string
  readonly category: string
  readonly price: number
  /** How many are sold in an average week; parts are not sold. */
  readonly weekly: number
  /** Codes of parts, materials and resources, each with its amount. */
  readonly recipe: readonly (readonly [code: string, amount: number])[]
  /** Suitable for making to order. */
  readonly isLarge: boolean
}

export const productCategories: readonly (readonly [name: string, above: string])[] = [
  ['Furniture', ''],
  ['Tables', 'Furniture'],
  ['Seating', 'Furniture'],
  ['Storage', 'Furniture'],
  ['Bedroom', 'Furniture'],
  ['Accessories', ''],
  ['Parts', ''],
]

// Category, code, SKU, name, price, sold per week, components.
const table = `
Parts       | legs       | PRT-LEG-OAK   | Leg set, oak, tapered                                    | 0    | 0   | oakbar 3.1, carpenter 0.9, cnc 0.4, disc 2
Parts       | drawer     | PRT-DRW-40    | Drawer box 40 cm                                         | 0    | 0   | ply9 0.45, runner 1, screw 10, glue 0.05, carpenter 0.5
Parts       | frame      | PRT-FRM-CHR   | Chair frame, oak                                         | 0    | 0   | oakbar 1.6, dowel 12, glue 0.06, carpenter 0.9, cnc 0.35
Parts       | frameash   | PRT-FRM-ASH   | Chair frame, ash                                         | 0    | 0   | ash 0.38, dowel 12, glue 0.06, carpenter 0.9, cnc 0.35
Parts       | slats      | PRT-SLT-BED   | Slatted base, half                                       | 0    | 0   | pine 16, web 3, screw 32, carpenter 0.4
Tables      | linde160   | TBL-LIN-160   | Dining table Linde 160, oak                              | 1190 | 0.9 | oak 1.7, legs 1, bolt 8, oil 0.3, disc 6, carpenter 3.2, finisher 1, cartonl 2, corner 8
Tables      | linde180   | TBL-LIN-180   | Dining table Linde 180, oak                              | 1340 | 1.1 | oak 2, legs 1, bolt 8, oil 0.35, disc 7, carpenter 3.4, finisher 1.1, cartonl 2, corner 8
Tables      | linde220   | TBL-LIN-220   | Dining table Linde 220, oak                              | 1690 | 0.6 | oak 2.6, legs 1, bolt 10, oil 0.45, disc 8, carpenter 3.9, finisher 1.3, cartonl 3, corner 8
Tables      | lindewal   | TBL-LIN-180-W | Dining table Linde 180, walnut, with legs of black steel | 1890 | 0.4 | walnut 2.1, steelleg 1, bolt 8, oil 0.35, disc 7, carpenter 3, finisher 1.1, cartonl 2, corner 8
Tables      | kiesel     | TBL-KIE-OAK   | Coffee table Kiesel, oak                                 | 490  | 1.3 | oak 0.7, oakbar 1.6, bolt 4, oil 0.15, disc 3, carpenter 1.8, cnc 0.5, finisher 0.5, cartonl 1, corner 4
Tables      | kieselw    | TBL-KIE-WAL   | Coffee table Kiesel, walnut                              | 590  | 0.6 | walnut 0.7, oakbar 1.6, bolt 4, oil 0.15, disc 3, carpenter 1.8, cnc 0.5, finisher 0.5, cartonl 1, corner 4
Tables      | kieselg    | TBL-KIE-GLS   | Side table Kiesel, glass top                             | 320  | 0.8 | oakbar 1.4, glass 0.2, bolt 4, oil 0.05, carpenter 1.1, finisher 0.3, carton 1, corner 4
Tables      | werk140    | DSK-WRK-140   | Desk Werk 140, with two drawers                          | 890  | 0.9 | veneer 1.4, legs 1, drawer 2, brass 2, bolt 8, oil 0.25, disc 4, carpenter 2.4, finisher 0.8, cartonl 2, corner 8
Tables      | werk160    | DSK-WRK-160   | Desk Werk 160, black steel                               | 760  | 0.8 | veneer 1.5, steelleg 1, bolt 8, lacquer 0.3, disc 4, carpenter 1.6, finisher 0.8, cartonl 2, corner 8
Seating     | amsel      | CHR-AMS-OAK   | Chair Amsel, oak                                         | 285  | 9   | frame 1, oak 0.22, oil 0.08, disc 2, glider 4, carpenter 0.6, finisher 0.3, carton 1
Seating     | amselash   | CHR-AMS-ASH   | Chair Amsel, ash, white oil                              | 265  | 5   | frameash 1, ash 0.22, whiteoil 0.08, disc 2, glider 4, carpenter 0.6, finisher 0.3, carton 1
Seating     | amselgrey  | CHR-AMS-GRY   | Chair Amsel, upholstered, basalt grey                    | 345  | 6   | frame 1, ply9 0.25, foam 0.25, grey 0.6, web 1.5, glider 4, oil 0.06, upholsterer 0.7, finisher 0.2, carton 1
Seating     | amselgreen | CHR-AMS-GRN   | Chair Amsel, upholstered, moss green                     | 345  | 4   | frame 1, ply9 0.25, foam 0.25, green 0.6, web 1.5, glider 4, oil 0.06, upholsterer 0.7, finisher 0.2, carton 1
Seating     | spatz      | STL-SPA-45    | Stool Spatz 45                                           | 129  | 3.4 | beech 2.2, ply 0.16, dowel 8, glue 0.03, lacquer 0.06, glider 4, carpenter 0.6, carton 1
Seating     | spatzbar   | STL-SPA-75    | Bar stool Spatz 75                                       | 189  | 2.4 | beech 3.6, ply 0.16, dowel 12, glue 0.04, lacquer 0.09, glider 4, carpenter 0.8, carton 1
Seating     | reiher     | ARM-REI-COG   | Armchair Reiher, leather cognac                          | 1290 | 0.5 | oakbar 4.2, leather 2.1, foam 1.6, web 9, dowel 16, oil 0.15, carpenter 2.6, upholsterer 3.4, finisher 0.6, cartonl 2
Seating     | reihergrey | ARM-REI-GRY   | Armchair Reiher, wool basalt grey                        | 1090 | 0.6 | oakbar 4.2, grey 3.1, foam 1.6, web 9, dowel 16, oil 0.15, carpenter 2.6, upholsterer 3, finisher 0.6, cartonl 2
Seating     | bench160   | BEN-LIN-160   | Bench Linde 160, oak                                     | 590  | 1   | oak 0.75, oakbar 3.4, bolt 8, oil 0.2, disc 4, carpenter 2, finisher 0.6, cartonl 1, corner 4
Seating     | bench180   | BEN-LIN-180   | Bench Linde 180, oak, with cushion                       | 720  | 0.5 | oak 0.85, oakbar 3.4, bolt 8, oil 0.2, disc 4, foam 0.6, grey 1, upholsterer 0.5, carpenter 2.1, finisher 0.6, cartonl 1, corner 4
Storage     | elster3    | SHF-ELS-3     | Shelf Elster, three boards                               | 420  | 1   | ply 1.9, oakbar 2.4, bolt 12, lacquer 0.4, carpenter 1.8, cnc 0.7, finisher 0.6, cartonl 1, corner 4
Storage     | elster5    | SHF-ELS-5     | Bookcase Elster, five boards                             | 640  | 0.9 | ply 3.1, oakbar 4.4, bolt 20, lacquer 0.6, carpenter 2.6, cnc 1.1, finisher 0.8, cartonl 2, corner 8
Storage     | wall60     | SHF-WAL-60    | Wall shelf 60, oak                                       | 79   | 2.6 | oak 0.17, screw 6, oil 0.04, carpenter 0.35, carton 1
Storage     | wall90     | SHF-WAL-90    | Wall shelf 90, oak                                       | 99   | 2.2 | oak 0.25, screw 8, oil 0.05, carpenter 0.4, carton 1
Storage     | dachs120   | SID-DAC-120   | Sideboard Dachs 120                                      | 1180 | 0.6 | veneer 3.1, legs 1, drawer 2, hinge 4, brass 4, screw 60, oil 0.5, carpenter 4.6, cnc 1.4, finisher 1.2, cartonl 3, corner 8
Storage     | dachs160   | SID-DAC-160   | Sideboard Dachs 160                                      | 1480 | 0.5 | veneer 4, legs 1, drawer 3, hinge 4, brass 5, screw 80, oil 0.6, carpenter 5.4, cnc 1.7, finisher 1.4, cartonl 3, corner 8
Storage     | dachs200   | SID-DAC-200   | Sideboard Dachs 200, four drawers and two doors          | 1790 | 0.3 | veneer 4.9, legs 1, drawer 4, hinge 4, brass 6, screw 96, oil 0.7, carpenter 6.2, cnc 2, finisher 1.6, cartonl 4, corner 8
Storage     | chest3     | CHE-DAC-3     | Chest of drawers Dachs, three drawers                    | 890  | 0.5 | veneer 2.4, legs 1, drawer 3, brass 3, screw 48, oil 0.4, carpenter 3.6, cnc 1, finisher 1, cartonl 2, corner 8
Bedroom     | igel       | NGT-IGE       | Nightstand Igel, one drawer                              | 295  | 1.6 | veneer 0.8, drawer 1, brass 1, screw 18, oil 0.12, carpenter 1.3, finisher 0.4, carton 1, corner 4
Bedroom     | bed140     | BED-BAR-140   | Bed Bär 140                                              | 1290 | 0.4 | oak 2.2, oakbar 5.6, slats 2, bedfit 1, bolt 12, oil 0.5, disc 8, carpenter 4.6, finisher 1.4, cartonl 4, corner 8
Bedroom     | bed160     | BED-BAR-160   | Bed Bär 160                                              | 1390 | 0.5 | oak 2.4, oakbar 5.8, slats 2, bedfit 1, bolt 12, oil 0.5, disc 8, carpenter 4.7, finisher 1.4, cartonl 4, corner 8
Bedroom     | bed180     | BED-BAR-180   | Bed Bär 180, with headboard in moss green wool           | 1790 | 0.3 | oak 2.6, oakbar 6, slats 2, bedfit 1, bolt 12, foam 1.4, green 2.2, ply9 1.3, oil 0.5, disc 8, carpenter 5.2, upholsterer 1.6, finisher 1.4, cartonl 4, corner 8
Bedroom     | mond       | MIR-RND-60    | Mirror Mond 60, oak frame                                | 189  | 1.2 | oak 0.3, mirror 1, ply9 0.3, oil 0.05, carpenter 0.8, cnc 0.3, cartonl 1
Accessories | board      | ACC-BRD-L     | Cutting board, oak and walnut                            | 49   | 4.5 | oak 0.07, walnut 0.04, glue 0.03, oil 0.02, carpenter 0.3
Accessories | tray       | ACC-TRY-40    | Tray 40, ash                                             | 39   | 2.8 | ash 0.14, lacquer 0.02, carpenter 0.3, cnc 0.1
Accessories | hooks      | ACC-HOK-5     | Hook rail, five hooks                                    | 69   | 2.2 | oak 0.09, brass 5, screw 10, oil 0.02, carpenter 0.3, carton 1
Accessories | cushion    | ACC-CUS-BEN   | Seat cushion for bench, basalt grey                      | 119  | 0.8 | foam 0.65, grey 1, upholsterer 0.6
Accessories | care       | ACC-CAR-SET   | Care set: oil, cloth, sanding pad                        | 24.9 | 4   | oil 0.25, disc 1, carton 1, packer 0.1
Accessories | feltset    | ACC-FLT-16    | Felt gliders, set of 16                                  | 6.9  | 5   | glider 16, packer 0.05
`

export const products: readonly Product[] = table
  .trim()
  .split('\n')
  .map((row) => {
    const [category = '', code = '', sku = '', name = '', price, weekly, recipe = ''] = row
      .split('|')
      .map((cell) => cell.trim())
    return {
      category,
      code,
      sku,
      name,
      price: Number(price),
      weekly: Number(weekly),
      recipe: recipe.split(', ').map((part) => {
        const [of = '', amount] = part.split(' ')
        return [of, Number(amount)] as const
      }),
      isLarge: Number(price) >= 900,
    }
  })
