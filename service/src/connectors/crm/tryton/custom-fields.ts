import type { CustomFieldValue, FieldValue } from '../../../families/record.ts'
import type { CustomField } from '../../contract/contract.ts'
import { withValue } from '../../kit/custom-fields.ts'

// Tryton's fields that the family lacks. A Tryton destination accepts most of them, so that a copy from Tryton to
// Tryton loses nothing.

const field = (key: string, label: string, type: CustomField['type'] = 'text', many = false): CustomField => {
  return { key, label, type, many, options: [] }
}
const ofParties = [
  field('code', 'Party code'),
  field('identifiers', 'Identifiers', 'text', true),
  field('contact_mechanisms', 'Contact mechanisms', 'text', true),
  field('address_parts', 'Parts of addresses', 'text', true),
]
const ofDeals = [
  field('number', 'Number'),
  field('reference', 'Reference'),
  field('start_date', 'Start date', 'date'),
  field('contact', 'Contact mechanism'),
]
export const customFieldsToWrite: Record<string, CustomField[]> = {
  accounts: ofParties,
  contacts: ofParties,
  deals: ofDeals,
  attachments: [field('description', 'Description', 'long_text'), field('link', 'Link', 'url')],
}
/** These fields depend on records that are not copied, so a destination does not accept them. */
const onlyRead = [
  field('address', 'Address', 'long_text'),
  field('payment_term', 'Payment term'),
  field('lines', 'Products', 'text', true),
]
export const customFieldsToRead: Record<string, CustomField[]> = {
  ...customFieldsToWrite,
  deals: [...ofDeals, ...onlyRead],
}

/** Builds the custom fields of a record from its non-empty values. */
export function withCustomFields(entity: string, values: Record<string, FieldValue | undefined>) {
  const given = (customFieldsToRead[entity] ?? []).flatMap((known): [string, CustomFieldValue][] => {
    const value = values[known.key] ?? ''
    return value === '' || (Array.isArray(value) && value.length === 0) ? [] : [[known.key, withValue(known, value)]]
  })
  return Object.fromEntries(given)
}
