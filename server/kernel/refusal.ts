// The only expected error: the request is answered with a public error text. Any other exception is a fault.

/** Identifies a refusal. The screens have their own message for each code; the public API returns only the text. */
export const refusalCodes = [
  'required',
  'not_text',
  'unreadable_text',
  'too_long',
  'too_short',
  'too_many',
  'not_a_number',
  'out_of_range',
  'not_a_choice',
  'not_a_date',
  'not_an_email',
  'malformed',
  'no_lines',
  'too_many_lines',
  'amount_not_positive',
  'amount_too_large',
  'total_not_a_number',
  'total_too_large',
  'count_below_zero',
  'counted_twice',
  'item_not_found',
  'items_not_found',
  'materials_disabled',
  'no_components',
  'nothing_to_make',
  'contains_itself',
  'storage_not_found',
  'same_storages',
  'customer_not_found',
  'supplier_not_found',
  'unit_not_found',
  'category_not_found',
  'order_not_found',
  'record_not_found',
  'order_taken',
  'follows_order',
  'name_taken',
  'code_taken',
  'nothing_chosen',
  'document_canceled',
  'document_done',
  'not_in_document',
  'more_than_left',
  'in_use',
  'has_stock',
  'used_in_products',
  'type_in_use',
  'last_owner',
  'email_taken',
  'timezone_not_found',
  'invitation_gone',
  'password_common',
  'wrong_password',
  'wrong_credentials',
  'sign_up_closed',
  'changed_meanwhile',
  'feed_restarted',
  'external_id_taken',
  'role_forbids',
  'storage_full',
  'signed_out',
  'another_user',
  'other_site',
] as const

export type RefusalCode = (typeof refusalCodes)[number]

export type RefusalDetail = {
  readonly code: RefusalCode
  /** The field of the request; for a line, the array it is in. */
  readonly field?: string
  /** Position of the line in its array. */
  readonly line?: number
  /** The value in the text: a code that is taken, a limit. */
  readonly value?: string | number
}

export class Refusal extends Error {
  readonly status: number
  /** When to retry. */
  readonly retryAfterSeconds: number | undefined
  readonly detail: RefusalDetail | undefined

  constructor(text: string, status = 400, retryAfterSeconds?: number, detail?: RefusalDetail) {
    super(text)
    this.name = 'Refusal'
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.detail = detail
  }
}

/** Adds the array and line to every refusal that `read` throws. */
export function refusedAt<T>(field: string, line: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal) || error.detail === undefined) throw error
    throw new Refusal(error.message, error.status, error.retryAfterSeconds, { ...error.detail, field, line })
  }
}

export function refuse(text: string, detail?: RefusalDetail, status = 400): never {
  throw new Refusal(text, status, undefined, detail)
}
