// The rules of every section that keeps one record at a time, and those of units, categories and storage locations.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

/** Units, categories, storages, materials, products, resources, customers, suppliers alike. */
const records: readonly Rule[] = [
  ...under('records', {
    'add.answer': '`add` answers `<entity>_id` and nothing else',
    'edit.answer': '`edit` answers success alone',
    'delete.answer': '`delete` answers success alone',
    'get_entry.answer': '`get_entry` answers the record under the name of its entity',
    'ids-per-company': 'ids count per company, from 1, and are not given twice',
    'id-forms': 'an id is a positive integer, as a number or as digits in a string',
    'edit.partial': 'an edit changes only the fields that are sent; null counts as not sent; only the id is required',
    'edit.nothing-changed': 'an edit that changes no value is not a change: `updated_at` is kept',
    'edit.refused': 'a refused edit changes nothing',
    'created-at': '`created_at` is the time the record was made, ISO 8601 in UTC, and stays',
    'updated-at': '`updated_at` is the time of the last change, ISO 8601 in UTC',
    'unknown-fields': 'unknown fields, and those that can only be read, are ignored',
    tenancy: 'a record of another company is not found, with the answer of one that never existed, and stays as it is',
  }),
  ...under('records.error', {
    'no-id': '`No <entity>_id in input`: missing, null or empty',
    'not-found': '`<Entity> not found or access denied`: no such record, or deleted',
    'no-name': '`No name in input`: missing or null',
    'name-empty': '`<Entity> name must not be empty`',
    'name-not-a-string': '`<Entity> name must be a string`: a number is not one here',
    'name-too-long': '`Invalid name value. Must be at most 255 characters`',
    'name-not-text': '`Invalid name value. Must be valid text`: a NUL character or half a surrogate pair',
    'not-a-string': '`Invalid <field> value. Must be a string`: a text that is neither a string nor a number',
    'text-too-long': '`Invalid <field> value. Must be at most <n> characters`: 65,535 for notes and addresses',
  }),
]

const reference: readonly Rule[] = [
  ...under('reference.get_list', {
    answer: 'answers the records and no total',
    everything: 'has no pages: without filters it returns everything, and `limit`, `offset` and `search` are ignored',
    'without-deleted': 'a deleted record is gone from the list',
    'own-company': 'shows the records of the company alone',
  }),
  ...under('units/unit', {
    id: 'int: the unit’s id',
    name: 'string: the name',
    full_name: 'string: the name written out, empty when not set',
    'fields-all': 'a unit has these fields, its times, and no other',
  }),
  ...under('units/add', { 'order-of-checks': 'of several faults the first is reported, in the order of the fields' }),
  ...under('units/delete', { 'error.in-use': '`Unit is in use and cannot be deleted`: an item has it' }),
  ...under('categories/category', {
    id: 'int: the category’s id',
    name: 'string: the name',
    type: 'string: products, materials or resources',
    parent_id: 'int or null: the category above it',
    position: 'int: its place',
    'fields-all': 'a category has these fields, its times, and no other',
  }),
  ...under('categories/add', {
    'error.no-type': '`No type in input`: missing, null or empty',
    'error.type': '`Invalid type value. Must be one of: products, materials, resources`',
    'error.parent': '`Category not found`: no category has the parent_id',
    'order-of-checks':
      'of several faults the first is reported, in the order of the fields; checks that need data come last',
  }),
  ...under('categories/edit', {
    'error.type': '`Invalid type value. Must be one of: products, materials, resources`',
    'error.parent': '`Category not found`: no category has the parent_id',
    'order-of-checks':
      'of several faults the first is reported: the request before the data, the record itself before its parent',
  }),
  ...under('categories/delete', {
    'error.in-use': '`Category is in use and cannot be deleted`: an item or another category hangs on it',
  }),
  ...under('storages/storage', {
    id: 'int: the storage location’s id',
    name: 'string: the name',
    address: 'string: the address, empty when not set',
    notes: 'string: the notes, empty when not set',
    default_products: '0 or 1: whether products are kept here unless a document specifies another storage location',
    default_materials: '0 or 1: whether materials are kept here unless a document specifies another storage location',
    'fields-all': 'a storage location has these fields, its times, and no other',
  }),
  ...under('storages/default', {
    used: 'a document that names no storage location uses the default ones',
    one: 'one storage location is the default for products and one for materials, always',
  }),
  ...under('storages/add', {
    'error.default': '`Invalid default_products value. Must be one of: 0, 1`, likewise default_materials',
    'order-of-checks': 'of several faults the first is reported, in the order of the fields',
  }),
  ...under('storages/delete', {
    'error.stock': '`Storage is in use and cannot be deleted`: something is on hand there or reserved, below zero too',
    'error.open-document': '`Storage is in use and cannot be deleted`: an open document names it',
    'error.default': '`Storage is in use and cannot be deleted`: a default one',
    'kept-on-documents': 'documents keep showing a deleted storage location',
    'not-found-elsewhere': 'a deleted storage location is `Storage ID not found` for a document',
  }),
]

export const referenceRules: readonly Rule[] = [...records, ...reference]
