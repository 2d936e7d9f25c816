// The only expected error: the request is answered with a public error text. Any other exception is a fault.

/**
 * Identifies a refusal, with its meaning for the reference. The public API sends the code as a header, the screens have their own message for it. A code
 * never changes its meaning.
 */
const valueCodes = {
  required: 'a required field is missing or empty',
  not_text: 'the value is not a text',
  unreadable_text: 'the text contains a NUL character or half of a surrogate pair',
  too_long: 'the text is too long',
  too_many: 'the array has too many elements',
  not_a_number: 'the value is not a number, or is below 0',
  out_of_range: 'the number is too small or too large',
  not_a_choice: 'the value is not one of those allowed',
  not_a_date: 'the value is not a date',
  not_a_time: 'the value is not a time',
  malformed: 'the value has another form than the one required, such as a text in place of an array',
  no_lines: 'the document has no lines',
  too_many_lines: 'the document has too many lines',
  amount_not_positive: 'the amount is missing, not a number, or not above 0',
  amount_too_large: 'the amount, or the sum that follows from it, is too large',
  total_not_a_number: 'the total is missing or not a number',
  total_too_large: 'the total is too large',
  count_below_zero: 'the counted amount is missing, not a number, or below 0',
  unit_cost_not_a_number: 'the unit cost is not a number, below 0, or too large',
  counted_twice: 'two lines count the same item',
  item_not_found: 'the item of a line does not exist',
  items_not_found: 'none of the items of the lines exists',
  materials_disabled: 'the settings of the company do not allow materials in sales',
  no_components: 'the product has no components, so it cannot be made',
  nothing_to_make: 'the sale has no products that can be made',
  contains_itself: 'the record would be a part of itself',
  storage_not_found: 'the storage location does not exist',
  same_storages: 'both storage locations are the same',
  tax_rate_not_found: 'the tax rate does not exist, or is archived',
  customer_not_found: 'the customer does not exist',
  supplier_not_found: 'the supplier does not exist',
  unit_not_found: 'the unit does not exist',
  category_not_found: 'the category does not exist',
  order_not_found: 'the sale does not exist',
  record_not_found: 'the record that the method is about does not exist',
  order_taken: 'the sale is canceled, or another production makes it',
  follows_order: 'the products are those of the sale, and can be changed only there',
  name_taken: 'another record has this name',
  code_taken: 'another item has this SKU or barcode',
  nothing_chosen: 'the request names no lines to ship or receive',
  document_canceled: 'the document is canceled',
  document_done: 'the document is done',
  not_in_document: 'the document has no such line',
  more_than_left: 'the amount is larger than what is left of the line',
  in_use: 'other records refer to the record, so it cannot be deleted',
  has_stock: 'the item has stock, so it cannot be deleted',
  has_items: 'the company has items already',
  used_in_products: 'the item is a component of products, so it cannot be deleted',
  type_in_use: 'items are in the category, so its type cannot change',
  external_id_taken: 'another record has this external id',
  changed_meanwhile: 'the record was changed since the version that was sent',
  feed_restarted: 'the number belongs to a history that has ended: read everything again',
  storage_full: 'the company has used up its storage',
} as const

/** Codes of the request itself rather than of its values. The screens show the text of such a refusal. */
const requestCodes = {
  unauthorized: 'the key is missing, invalid or expired, or a browser sent the request from another origin',
  key_forbids_address: 'the key may not be used from this address',
  key_forbids_method: 'the key may not call this method',
  daily_limit_reached: 'the company has used up its requests of the day',
  connection_limit_reached: 'the connection has used up its requests of the day',
  too_many_requests: 'too many requests in a short time',
  unknown_method: 'no method has this address',
  not_http: 'the request is not valid HTTP; the connection is closed',
  post_required: 'the request is not a POST',
  body_too_large: 'the body is too large or contains too many values',
  body_too_slow: 'the body did not arrive in time',
  body_incomplete: 'the connection ended before the body was complete',
  body_not_json: 'the body is not valid JSON',
  body_not_an_object: 'the body is JSON, but not an object',
  idempotency_key_invalid: 'the header `Idempotency-Key` is empty or too long',
  idempotency_key_reused: 'the `Idempotency-Key` was used with another request',
  idempotency_key_in_progress: 'a request with this `Idempotency-Key` has not been answered yet',
  dry_run_invalid: 'the header `Kontor-Dry-Run` has another value than true, 1, false or 0',
  records_too_large: 'the stored records are too large together',
  busy: 'the server cannot process the request now',
  internal_error: 'the server failed',
} as const

/** Every code that a response of the public API can have, with its meaning. */
export const publicCodes = { ...valueCodes, ...requestCodes }
export type PublicCode = keyof typeof publicCodes

/** Codes of methods that only the screens call. */
const appCodes = [
  'too_short',
  'not_an_email',
  'last_owner',
  'email_taken',
  'too_many_companies',
  'company_signed_out',
  'timezone_not_found',
  'invitation_gone',
  'link_gone',
  'link_revoked',
  'link_expired',
  'quote_decided',
  'quote_not_a_draft',
  'quote_not_sent',
  'quote_accepted',
  'quote_expired',
  'valid_before_its_day',
  'no_mails',
  'too_many_mails',
  'password_common',
  'wrong_password',
  'wrong_company_name',
  'test_company',
  'company_too_large',
  'test_company_too_early',
  'no_test_company',
  'not_in_test_company',
  'wrong_credentials',
  'wrong_code',
  'wrong_passkey',
  'passkeys_off',
  'single_sign_on_off',
  'provider_failed',
  'provider_user_unknown',
  'sign_in_expired',
  'second_factor_exists',
  'second_factor_missing',
  'second_factor_required',
  'own_second_factor_first',
  'fresh_sign_in_required',
  'sign_up_closed',
  'role_forbids',
  'signed_out',
  'another_user',
  'other_site',
] as const

/** Codes that only the screens get, which show the text, and of single records of a request, whose result contains only the text. */
const otherCodes = [
  'record_twice',
  'too_many_attempts',
  'too_many_invitations',
  'replaces_itself',
  'external_ids_collide',
  'not_for_requests',
  'no_preview',
  'webhook_off',
  'file_not_found',
  'expect_invalid',
  'idempotency_key_not_allowed',
] as const

/** The codes for which the screens have their own message. */
export const codesWithMessage: ReadonlySet<string> = new Set([...Object.keys(valueCodes), ...appCodes])

export type RefusalCode = PublicCode | (typeof appCodes)[number] | (typeof otherCodes)[number]

/** Refusals that are not answered with 400. */
const statuses: Readonly<Partial<Record<RefusalCode, number>>> = {
  unauthorized: 401,
  signed_out: 401,
  key_forbids_address: 403,
  key_forbids_method: 403,
  storage_full: 403,
  role_forbids: 403,
  another_user: 403,
  other_site: 403,
  sign_up_closed: 403,
  fresh_sign_in_required: 403,
  second_factor_required: 403,
  unknown_method: 404,
  file_not_found: 404,
  post_required: 405,
  body_too_slow: 408,
  idempotency_key_reused: 409,
  idempotency_key_in_progress: 409,
  external_id_taken: 409,
  changed_meanwhile: 409,
  feed_restarted: 409,
  body_too_large: 413,
  daily_limit_reached: 429,
  connection_limit_reached: 429,
  too_many_requests: 429,
  too_many_attempts: 429,
  internal_error: 500,
  busy: 503,
}

export const statusOf = (code: RefusalCode): number => statuses[code] ?? 400

export type RefusalDetail = {
  readonly code: RefusalCode
  /** The field of the request; for a line, the array it is in. */
  readonly field?: string
  /** Position of the line in its array, from 0. */
  readonly line?: number
  /** The value in the text: a code that is taken, a limit. */
  readonly value?: string | number
}

export class Refusal extends Error {
  readonly detail: RefusalDetail
  readonly status: number
  /** When to retry. */
  readonly retryAfterSeconds: number | undefined

  constructor(text: string, detail: RefusalDetail, retryAfterSeconds?: number) {
    super(text)
    this.name = 'Refusal'
    this.detail = detail
    this.status = statusOf(detail.code)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Adds the array and line to every refusal that `read` throws. */
export function refusedAt<T>(field: string, line: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.message, { ...error.detail, field, line }, error.retryAfterSeconds)
  }
}

export function refuse(text: string, detail: RefusalDetail): never {
  throw new Refusal(text, detail)
}
