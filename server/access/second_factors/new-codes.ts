// New recovery codes: they replace the earlier ones, and their texts are in one response only.

import { z } from 'zod'
import type { Statement } from '../../kernel/statement.ts'
import { codesAtOnce, hashOfCode, shownCode } from '../second-factor/recovery-codes.ts'
import { deleteRecoveryCodes, insertRecoveryCodes } from '../second-factor/store.ts'

export const recoveryCodesSchema = z
  .array(z.string())
  .max(codesAtOnce)
  .describe('Each replaces the second factor once. Shown only once; earlier codes stop working.')

export const newCodes = (
  user: { readonly company_id: number; readonly user_id: number },
  codes: readonly string[],
  at: string,
): Statement[] => [deleteRecoveryCodes(user), insertRecoveryCodes({ ...user, code_hashes: codes.map(hashOfCode), at })]

export const shownCodes = (codes: readonly string[]) => ({ recovery_codes: codes.map(shownCode) })
