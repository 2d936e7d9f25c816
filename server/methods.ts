// The whole interface: the sections' lists joined.

import type { Method } from './kernel/method.ts'
import { salesMethods } from './sales/methods.ts'

export const methods: readonly Method[] = [...salesMethods]
