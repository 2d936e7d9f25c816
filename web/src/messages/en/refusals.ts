// The server's errors as messages for the user of a form: what is wrong and what to do.

/** The field and the values named by the server. */
export type Refused = {
  readonly code: string
  readonly field?: string | undefined
  readonly value?: string | number | undefined
}

const required: Readonly<Record<string, string>> = {
  customer_id: 'Choose a customer.',
  customer_name: 'Choose a customer.',
  supplier_id: 'Choose a supplier.',
  supplier_name: 'Choose a supplier.',
  suppliers: 'Choose a supplier.',
  num: 'Enter a number.',
  name: 'Enter a name.',
  company: "Enter the company's name.",
  email: 'Enter an e-mail address.',
  password: 'Enter a password.',
  code: 'Enter the code.',
  new_password: 'Enter a password.',
  role: 'Choose a role.',
  storage_id: 'Choose a storage location.',
  storage_from_id: 'Choose a storage location.',
  storage_to_id: 'Choose a storage location.',
  products_storage_id: 'Choose a storage location.',
  materials_storage_id: 'Choose a storage location.',
  url: 'Enter an address.',
}

const reload = 'Reload the page and try again.'

export const refusals: Readonly<Record<string, (of: Refused) => string>> = {
  required: ({ field = '' }) => required[field] ?? 'Fill in this field.',
  not_text: () => 'Enter text.',
  unreadable_text: () => 'This text contains characters that cannot be saved. Type it instead of pasting it.',
  too_long: ({ value }) => `Enter at most ${value} characters.`,
  too_short: ({ value }) => `Enter at least ${value} characters.`,
  too_many: ({ value }) => `Too many entries. Enter at most ${value}.`,
  too_many_mails: ({ value }) =>
    `Your company has sent ${value} mails in the last 24 hours, which is the limit. Try again later.`,
  not_a_number: () => 'Enter a number, 0 or more.',
  out_of_range: () => 'This number is too small or too large. Check it.',
  not_a_choice: ({ field }) =>
    field === 'currency'
      ? 'Enter a currency code of three letters, such as EUR.'
      : `This option is no longer available. ${reload}`,
  not_a_date: () => 'Enter a valid date.',
  not_a_time: () => 'Enter a valid time.',
  not_an_email: () => 'Enter a valid e-mail address.',
  malformed: ({ field }) =>
    field === 'url'
      ? 'Enter an address that starts with https:// and can be reached from the internet on port 443 or 8443.'
      : field === 'first_sale_number'
        ? 'Enter a number that ends with a digit, such as 2026-0001.'
        : `The form could not be read. ${reload}`,
  no_lines: () => 'Add at least one line.',
  too_many_lines: ({ value }) => `Too many lines. Enter at most ${value}.`,
  amount_not_positive: () => 'Enter a quantity above 0.',
  amount_too_large: () => 'Enter a smaller quantity.',
  total_not_a_number: () => 'Enter a total.',
  total_too_large: () => 'Enter a smaller total.',
  count_below_zero: () => 'Enter a count of 0 or more.',
  unit_cost_not_a_number: () => 'Enter a unit cost of 0 or more.',
  counted_twice: () => 'This item is counted on two lines. Remove one of them.',
  item_not_found: () => 'This item was deleted. Remove it or choose another.',
  items_not_found: () => 'These items were deleted. Choose others.',
  materials_disabled: () => 'Materials cannot be sold. Remove them, or allow it in the company settings.',
  no_components: () => 'This product has no components. Add them to the product, or enter the used items here.',
  contains_itself: ({ field }) =>
    field === 'components'
      ? 'A product cannot contain itself. Remove this component.'
      : 'A category cannot be inside itself. Choose another parent category.',
  storage_not_found: () => 'This storage location was deleted. Choose another.',
  same_storages: () => 'Choose two different storage locations.',
  link_revoked: () => 'This link was revoked. Ask for a new one.',
  link_expired: () => 'This quote has expired. Ask for a new one.',
  quote_decided: () => 'This quote was already accepted or declined. Reload the page.',
  quote_not_a_draft: () => 'Only a draft can be changed. Make it a draft again first.',
  quote_not_sent: () => 'Only a sent quote can be accepted or declined. Send it first.',
  quote_accepted: () => 'This quote was accepted and is a sale now.',
  quote_expired: () => 'This quote has expired. Make it a draft, and extend it.',
  valid_before_its_day: () => 'Choose a day that is not before the date of the quote.',
  customer_not_found: () => 'This customer was deleted. Choose another.',
  supplier_not_found: () => 'This supplier was deleted. Choose another.',
  unit_not_found: () => 'This unit was deleted. Choose another.',
  tax_rate_not_found: () => 'This tax rate was deleted or archived. Choose another.',
  category_not_found: () => 'This category was deleted. Choose another.',
  order_not_found: () => 'This sale was deleted. Choose another.',
  record_not_found: () => 'This record was deleted. Reload the page.',
  nothing_to_make: () => 'This sale has no products with components. Choose another, or enter the used items.',
  order_taken: () => 'This sale is canceled or already has a production. Choose another.',
  follows_order: () => 'These products come from the sale. Change them there.',
  name_taken: () => 'This name is already in use. Choose another.',
  code_taken: ({ field, value }) =>
    field === 'barcodes'
      ? `Barcode ${value} is already used by another item.`
      : `SKU ${value} is already used by another item.`,
  nothing_chosen: () => 'Enter a quantity for at least one line.',
  document_canceled: () => 'This document is canceled. Reopen it first.',
  document_done: () => 'This document is already completed.',
  not_in_document: () => `This item is no longer on the document. ${reload}`,
  more_than_left: ({ value }) => `Only ${value} remaining.`,
  in_use: () => 'This is in use, so it cannot be deleted.',
  has_items: () => 'The company has items already, so the example data cannot be added.',
  has_stock: () => 'This item has stock, so it cannot be deleted. Bring its stock to 0 first.',
  used_in_products: () => 'This item is a component of products, so it cannot be deleted. Remove it from them first.',
  type_in_use: () => 'This category contains items, so its type cannot change.',
  storage_full: () =>
    'Your company has reached its storage limit, so nothing was saved. Ask your service provider for more.',
  last_owner: () => 'A company needs at least one owner. Make someone else an owner first.',
  email_taken: () => 'This e-mail address is already in use. Enter another.',
  too_many_companies: () => 'This e-mail address is used in too many companies. Enter another.',
  company_signed_out: () => 'You are no longer signed in to this company. Sign in again.',
  timezone_not_found: () => 'Choose a time zone from the list.',
  invitation_gone: () => 'This invitation has expired. Ask for a new one.',
  link_gone: () => 'This link no longer works: it was used, or has expired. Ask for a new one.',
  no_mails: () => 'This server sends no mails. Ask the person who runs it.',
  password_common: () => 'This password is easy to guess. Choose another.',
  wrong_password: () => 'Wrong password. Try again.',
  wrong_company_name: () => 'Enter the name of the company exactly.',
  test_company: () => 'This is not possible in a test company. Switch to your company.',
  company_too_large: () => 'The company is too large to be copied here. Ask the person who runs the server.',
  test_company_too_early: () => 'The test company was created a short time ago. Try again in a few minutes.',
  no_test_company: () => 'There is no test company yet. Create one first.',
  not_in_test_company: () => 'The test company was created before you became an owner. Create it again.',
  wrong_credentials: () => 'Wrong e-mail or password. Try again.',
  wrong_code: () => 'Wrong code. Each code works only once.',
  wrong_passkey: () => 'That passkey is not accepted. Try again, or sign in another way.',
  passkeys_off: () => 'This server has no passkeys.',
  single_sign_on_off: () => 'This server has no single sign-on.',
  provider_failed: () =>
    'The identity provider did not confirm the sign-in. The owners of your company see why under Sign-ins and access.',
  provider_user_unknown: () =>
    'No user of your company belongs to this account. Ask an owner to invite the e-mail address of the account.',
  sign_in_expired: () => 'This took too long. Enter your password again.',
  second_factor_exists: () => 'This is set up already. Reload the page.',
  second_factor_missing: () => 'There is no second factor. Reload the page.',
  second_factor_required: () => 'Set up a second factor first.',
  own_second_factor_first: () => 'Set up your own second factor first, in your profile.',
  fresh_sign_in_required: () => 'Confirm that it is you to continue.',
  sign_up_closed: () => 'Sign-up is closed on this server. Ask the person who runs it.',
  changed_meanwhile: () => 'Someone else has changed this. Reload the page.',
  feed_restarted: () => 'This page is out of date. Reload it.',
  external_id_taken: ({ value }) => `This external id is already used by record ${value ?? ''}.`,
  role_forbids: () => 'Your role does not allow this. Ask an owner of the company.',
  signed_out: () => 'You are signed out. Sign in to continue.',
  another_user: () => 'Someone else is signed in in this browser. Reload the page.',
  other_site: () => 'The server does not accept this address. Open the address that is set as PUBLIC_ORIGIN.',
}
