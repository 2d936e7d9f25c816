// The rules of stock and of made-to-order production. Kept by server/test/conformance/stock/.

import type { Rule } from './rule.ts'

export const stockRules: readonly Rule[] = [
  // What is kept
  { id: 'stock.kept-apart', text: 'Stock is kept per storage location and item, as on hand and reserved.' },
  {
    id: 'stock.never-refused',
    text: 'A sale is never refused for lack of stock: on hand, and what is available, may go below zero.',
  },

  // The ledger
  { id: 'stock.levels-are-sums', text: 'The levels are the sum of the ledger of movements.' },
  { id: 'stock.append-only', text: 'The ledger is only ever appended to.' },
  {
    id: 'stock.movement-names',
    text: 'Every movement names its document, its effective date and when it was recorded.',
  },
  {
    id: 'stock.difference',
    text: 'A document has the effect that its present state calls for; changing it posts the difference.',
  },
  {
    id: 'stock.undo-dated',
    text: "Undoing dates the reversal to the original's effective date: a canceled or deleted sale has no effect on the level of any day.",
  },

  // Effect of a sale by status
  { id: 'stock.status.new', text: '0 New reserves all lines and deducts none.' },
  { id: 'stock.status.packed', text: '1 Packed reserves all lines and deducts none.' },
  {
    id: 'stock.status.partly-shipped',
    text: '2 Partially shipped reserves what is not yet shipped and deducts what is shipped, dated to each shipment.',
  },
  { id: 'stock.status.shipped', text: '3 Shipped reserves nothing and deducts all lines.' },
  { id: 'stock.status.canceled', text: '4 Canceled reserves nothing and deducts nothing.' },
  {
    id: 'stock.storage-by-kind',
    text: 'Product lines act on the products storage location, material lines on the materials storage location.',
  },
  { id: 'stock.status.any-to-any', text: 'Any status may change to any other.' },
  { id: 'stock.status.returns', text: 'Going to 0, 1 or 4 from 2 or 3 returns what had left.' },

  // Date of the deduction
  { id: 'stock.date.given', text: 'The deduction is dated to the date_shipped given with the call, which is written.' },
  { id: 'stock.date.own', text: "Without one it is dated to the sale's own date_shipped." },
  { id: 'stock.date.today', text: "Without either it is dated today, in the company's time zone." },
  {
    id: 'stock.date.on-add',
    text: 'On add with default status Shipped it is dated to date_shipped, else to date_placed.',
  },
  { id: 'stock.date.not-written', text: 'A call that gives no date_shipped does not write it.' },
  {
    id: 'stock.date.parts',
    text: 'Shipments made in parts keep their dates; only the rest takes a new date.',
  },
  { id: 'stock.date.again', text: 'Setting 3 again with another date moves the deduction to it.' },
  { id: 'stock.date.edited', text: 'Editing date_shipped of a shipped sale moves the deduction.' },
  { id: 'stock.date.cleared', text: "Clearing date_shipped of a shipped sale does not change the ledger's date." },

  // Edits
  { id: 'stock.edit.lines', text: 'Editing the lines of a sale moves its effect along, in the same transaction.' },
  {
    id: 'stock.edit.storages',
    text: 'Editing the storage locations of a sale moves its effect along, in the same transaction.',
  },
  {
    id: 'stock.edit.partly-shipped',
    text: 'For a partly shipped sale, what was shipped of an item stays shipped up to its new quantity.',
  },

  // Costs
  {
    id: 'stock.cost.average',
    text: "An item's average is its value over its quantity on hand in the whole company, with 6 decimals, while that quantity is above zero.",
  },
  { id: 'stock.cost.last-known', text: 'At a quantity of zero or below the average is the last one known.' },
  { id: 'stock.cost.receipt', text: 'A receipt adds quantity × its own cost.' },
  { id: 'stock.cost.issue', text: 'An issue has the value quantity × the average at that time.' },
  {
    id: 'stock.cost.receipt-below-zero',
    text: 'A receipt that meets a quantity of zero or below sets the average to its own cost; the difference in value is a revaluation row of quantity 0.',
  },
  {
    id: 'stock.cost.zero',
    text: 'A quantity of zero always has a value of zero, by a revaluation row where needed.',
  },
  { id: 'stock.cost.never-negative', text: 'An average is never negative.' },
  { id: 'stock.cost.undo', text: 'Undoing books the exact opposite of the original movement, value included.' },
  {
    id: 'stock.cost.line',
    text: "A line's cost is quantity × average, to the cent, and is fixed when the line is written.",
  },
  {
    id: 'stock.cost.sale',
    text: "A sale's cost is the exact sum of the costs of its lines, rounded once: three lines worth 0.0333 cost 0.10.",
  },
  { id: 'stock.cost.line-deducted', text: "A line's cost is fixed again when its goods are deducted." },
  { id: 'stock.cost.line-stays', text: "Later receipts do not rewrite a line's cost." },
  {
    id: 'stock.cost.moved',
    text: "Another date or storage location of goods that are booked already moves them with the value they were booked with; a line's cost stays.",
  },

  // Made-to-order production
  {
    id: 'production.created',
    text: "production: 1 creates a production linked to the sale, in status Planned, with the sale's lines of products that have components.",
  },
  {
    id: 'production.number',
    text: "It has the next number of the company's production sequence, which the sale shows in production_num.",
  },
  {
    id: 'production.follows',
    text: "While it is Planned it follows the sale's lines of products that have components.",
  },
  {
    id: 'production.nothing-to-make',
    text: 'A sale without products that have components has no production: production is 1, production_num is null. A Planned production is removed when nothing is left to make.',
  },
  {
    id: 'production.shipped-at-once',
    text: 'A sale that is shipped makes no new production, neither on add nor on leaving Canceled.',
  },
  {
    id: 'production.canceled-replaced',
    text: 'Editing a sale whose production was canceled unlinks that one and links a new one.',
  },
  {
    id: 'production.removed',
    text: 'Turning production off, canceling or deleting the sale removes a Planned production.',
  },
  { id: 'production.started-stays', text: 'A production already started stays and is unlinked.' },
  {
    id: 'production.canceled-keeps-mark',
    text: 'A canceled sale keeps its mark production: 1 with production_num: null.',
  },
  {
    id: 'production.leaving-canceled',
    text: 'Leaving Canceled links the production that the sale had again, if that one was started or finished, is not canceled and is still unlinked.',
  },
  { id: 'production.leaving-canceled-new', text: 'Else leaving Canceled makes a new production.' },
]
