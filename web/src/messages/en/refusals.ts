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
  not_text: () => 'Enter text here.',
  unreadable_text: () => 'This text has characters that cannot be saved. Type it again instead of pasting it.',
  too_long: ({ value }) => `This is too long. ${value} characters fit.`,
  too_short: ({ value }) => `This is too short. At least ${value} characters are needed.`,
  too_many: ({ value }) => `These are too many. ${value} fit.`,
  not_a_number: () => 'Enter a number, 0 or more.',
  out_of_range: () => 'This number is too small or too large.',
  not_a_choice: ({ field }) =>
    field === 'currency' ? 'Enter a currency code of three letters, such as EUR.' : `This cannot be chosen. ${reload}`,
  not_a_date: () => 'This is not a date.',
  not_a_time: () => 'This is not a time.',
  not_an_email: () => 'This is not an e-mail address.',
  malformed: ({ field }) =>
    field === 'url'
      ? 'Enter an address that begins with https:// and can be reached from the internet on port 443 or 8443.'
      : field === 'first_sale_number'
        ? 'Enter a number that ends with a digit, such as 2026-0001.'
        : `The form could not be read. ${reload}`,
  no_lines: () => 'Add at least one line.',
  too_many_lines: ({ value }) => `These are too many lines. ${value} fit.`,
  amount_not_positive: () => 'Enter a quantity above 0.',
  amount_too_large: () => 'This quantity is too large.',
  total_not_a_number: () => 'Enter a total.',
  total_too_large: () => 'This total is too large.',
  count_below_zero: () => 'Enter a count of 0 or more.',
  counted_twice: () => 'This item is counted on two lines. Remove one of them.',
  item_not_found: () => 'This item was deleted. Remove it or choose another.',
  items_not_found: () => 'All these items were deleted. Choose others.',
  materials_disabled: () => 'Your company does not sell materials. Remove them, or allow them in the settings.',
  no_components: () => 'This product has no components. Say in its card what it is made of, or enter what was used.',
  contains_itself: ({ field }) =>
    field === 'components'
      ? 'A product cannot be a part of itself. Remove this component.'
      : 'A category cannot be below itself.',
  storage_not_found: () => 'This storage location was deleted. Choose another.',
  same_storages: () => 'Choose two different storage locations.',
  customer_not_found: () => 'This customer was deleted. Choose another.',
  supplier_not_found: () => 'This supplier was deleted. Choose another.',
  unit_not_found: () => 'This unit was deleted. Choose another.',
  category_not_found: () => 'This category was deleted. Choose another.',
  order_not_found: () => 'This sale was deleted. Choose another.',
  record_not_found: () => 'This was deleted meanwhile.',
  nothing_to_make: () => 'This sale has no products with components. Choose another, or enter what was used.',
  order_taken: () => 'This sale is canceled or already has a production. Choose another.',
  follows_order: () => 'These are the products of the sale. Change them there.',
  name_taken: () => 'This name is taken. Choose another, or open the one that has it.',
  code_taken: ({ field, value }) =>
    field === 'barcodes' ? `Barcode ${value} belongs to another item.` : `SKU ${value} belongs to another item.`,
  nothing_chosen: () => 'Enter a quantity for at least one line.',
  document_canceled: () => 'This is canceled. Set it back to New first.',
  document_done: () => 'All of it is done already.',
  not_in_document: () => `This item is no longer on the document. ${reload}`,
  more_than_left: ({ value }) => `Only ${value} is left.`,
  in_use: () => 'This is in use and cannot be deleted.',
  has_stock: () => 'There is stock of it, so it cannot be deleted. Bring its stock to 0 first.',
  used_in_products: () => 'Products are made of it, so it cannot be deleted. Remove it from their components first.',
  type_in_use: () => 'Items are in this category, so its kind stays.',
  storage_full: () =>
    'Your company has used up its storage, so nothing was saved. Ask whoever runs the service for more.',
  last_owner: () => 'The company needs an owner. Make someone else an owner first.',
  email_taken: () => 'Somebody already signs in with this e-mail address.',
  timezone_not_found: () => 'Choose a time zone from the list.',
  invitation_gone: () => 'This invitation has ended. Ask for a new one.',
  password_common: () => 'This password is easy to guess. Choose another.',
  wrong_password: () => 'The password is wrong.',
  wrong_credentials: () => 'E-mail or password is wrong.',
  sign_up_closed: () => 'New companies cannot sign up here. Ask whoever runs this server.',
  changed_meanwhile: () => 'Somebody else changed this meanwhile.',
  feed_restarted: () => 'The list of changes was restarted. Reload the page.',
  external_id_taken: ({ value }) => `Record ${value ?? ''} has this external id already.`,
  role_forbids: () => 'Your role does not allow this.',
  signed_out: () => 'You are signed out. Sign in to go on.',
  another_user: () => 'Somebody else is signed in in this browser.',
  other_site: () =>
    'This page was opened at an address the server does not expect. Open it at the address in its setting PUBLIC_ORIGIN.',
}
