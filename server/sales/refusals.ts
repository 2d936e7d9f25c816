// Error texts that several methods of the section share, for the reference and the generated documents.

/** What is said of a sale's own fields, in add and in edit. */
export const saleRefusals: readonly string[] = [
  'Products is not an array',
  'Materials is not an array',
  'No products or materials in input',
  'Too many lines. Must be at most 5000',
  'Materials in orders are disabled in company settings',
  'Storage ID is not set',
  'Storage ID not found',
  'Date is not a valid date in format YYYY-MM-DD',
  'Invalid delivery_price value. Must be a number, 0 or greater',
  'Invalid discount value. Must be a number, 0 or greater',
  'All products have wrong SKU or id',
  'All products and materials have wrong SKU or id',
  'Invalid production value. Must be one of: 0, 1',
  'Invalid <field> value. Must be a string',
  'Invalid <field> value. Must be valid text',
  'Invalid <field> value. Must be at most <n> characters',
]

/** What is said of a line; `product` reads `material` for a material, and `SKU "<sku>"` reads `id <id>` when it was named so. */
export const lineRefusals: readonly string[] = [
  'Line <n> of products must be an object',
  'SKU or id not set for product <n>',
  'Amount not set for product with SKU "<sku>"',
  'Total not set for product with SKU "<sku>"',
  'Amount must be greater than 0 for product with SKU "<sku>"',
  'Amount is too large for product with SKU "<sku>"',
  'Total must be a number for product with SKU "<sku>"',
  'Total is too large for product with SKU "<sku>"',
]
