// The whole interface: the sections' lists joined.

import { materialMethods, productMethods, resourceMethods } from './catalog/methods.ts'
import { customerMethods, supplierMethods } from './contacts/methods.ts'
import type { Method } from './kernel/method.ts'
import { categoryMethods } from './reference/categories.ts'
import { storageMethods } from './reference/storages.ts'
import { unitMethods } from './reference/units.ts'
import { salesMethods } from './sales/methods.ts'

export const methods: readonly Method[] = [
  ...salesMethods,
  ...productMethods,
  ...materialMethods,
  ...resourceMethods,
  ...customerMethods,
  ...supplierMethods,
  ...unitMethods,
  ...categoryMethods,
  ...storageMethods,
]
