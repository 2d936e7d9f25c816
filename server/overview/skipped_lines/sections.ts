// The sections whose documents skip lines.

import type { SkippingSection } from '../../documents/skipping.ts'
import { skippingPurchases } from '../../purchases/skipping.ts'
import { skippingSales } from '../../sales/skipping.ts'

/** A section without the type of its facts: it gets only facts that its own SQL has read. */
export type AnySection = SkippingSection<never>

export const sections: readonly AnySection[] = [skippingSales, skippingPurchases]

/** The name of the record in responses. */
export const recordName = ({ record }: AnySection): string => (record === 'sale' ? 'order' : record)

/** The name of the column with the facts of a section. */
export const factsColumn = ({ record }: AnySection): string => `${record}_facts`
