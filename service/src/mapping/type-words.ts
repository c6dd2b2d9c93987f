import type { FieldType } from '../families/definition.ts'

/** A description of the values of each type. */
export const typeWords: Readonly<Record<FieldType, string>> = {
  text: 'a text',
  long_text: 'a long text',
  rich_text: 'a text with formatting',
  integer: 'a whole number',
  decimal: 'a number',
  boolean: 'yes or no',
  date: 'a day',
  datetime: 'a moment',
  option: 'a choice',
  email: 'an e-mail address',
  phone: 'a phone number',
  url: 'a web address',
  money: 'an amount of money',
  address: 'a postal address',
  user: 'a person',
  relation: 'a link to a record',
}
