import type { Account, Kind } from './account.ts'

export interface Option {
  id: number
  label: string
}

export interface Field {
  code: string
  name: string
  type: string
  options: Option[] | null
  isCustom: boolean
  isDeleted: boolean
  addedAt: string
}

/** Types that a custom field can have. */
export const customTypes = [
  'varchar',
  'text',
  'double',
  'phone',
  'date',
  'daterange',
  'time',
  'timerange',
  'set',
  'enum',
  'varchar_auto',
  'address',
  'monetary',
  'org',
  'people',
  'user',
]

export const addressParts = [
  'value',
  'street_number',
  'route',
  'subpremise',
  'locality',
  'sublocality',
  'admin_area_level_1',
  'admin_area_level_2',
  'country',
  'postal_code',
  'formatted_address',
]

/** The parts of a value, for types with more than one part. */
export const subfields: Record<string, readonly string[]> = {
  address: addressParts,
  monetary: ['value', 'currency'],
  daterange: ['value', 'until'],
  time: ['value', 'timezone_id', 'timezone_name'],
  timerange: ['value', 'until', 'timezone_id', 'timezone_name'],
}

type System = readonly [code: string, name: string, type: string, options?: readonly string[]]

const stamps: readonly System[] = [
  ['id', 'ID', 'int'],
  ['owner_id', 'Owner', 'user'],
  ['add_time', 'Created', 'date'],
  ['update_time', 'Updated', 'date'],
]
const systemFields: Record<Kind, readonly System[]> = {
  organizations: [
    ['name', 'Name', 'varchar'],
    ['address', 'Address', 'address'],
    ['label_ids', 'Labels', 'set', ['Customer', 'Hot lead', 'Cold lead']],
    ['visible_to', 'Visible to', 'visible_to'],
    ...stamps,
  ],
  persons: [
    ['name', 'Name', 'varchar'],
    ['first_name', 'First name', 'varchar'],
    ['last_name', 'Last name', 'varchar'],
    ['emails', 'Email', 'varchar'],
    ['phones', 'Phone', 'phone'],
    ['org_id', 'Organization', 'org'],
    ['label_ids', 'Labels', 'set', ['Customer', 'Warm lead']],
    ['visible_to', 'Visible to', 'visible_to'],
    ...stamps,
  ],
  deals: [
    ['title', 'Title', 'varchar'],
    ['value', 'Value', 'monetary'],
    ['person_id', 'Contact person', 'people'],
    ['org_id', 'Organization', 'org'],
    ['stage_id', 'Stage', 'stage'],
    ['status', 'Status', 'status'],
    ['label_ids', 'Labels', 'set', ['Hot', 'Warm', 'Cold']],
    ['lost_reason', 'Lost reason', 'varchar_options'],
    ['visible_to', 'Visible to', 'visible_to'],
    ['expected_close_date', 'Expected close date', 'date'],
    ...stamps,
  ],
  activities: [
    ['subject', 'Subject', 'varchar'],
    ['type', 'Type', 'enum'],
    ['due_date', 'Due date', 'date'],
    ['note', 'Note', 'text'],
    ['priority', 'Priority', 'enum', ['Low', 'Medium', 'High']],
    ['location', 'Location', 'address'],
    ...stamps,
  ],
}
const syncFields: readonly System[] = [
  ['job_title', 'Job title', 'varchar'],
  ['birthday', 'Birthday', 'date'],
  ['notes', 'Notes', 'text'],
  ['postal_address', 'Postal address', 'address'],
  ['im', 'Instant messenger', 'varchar'],
]
const detailFields: readonly System[] = [
  ['website', 'Website', 'varchar'],
  ['linkedin', 'LinkedIn profile', 'varchar'],
  ['industry', 'Industry', 'enum', ['Farming', 'Banking']],
  ['annual_revenue', 'Annual revenue', 'double'],
  ['employee_count', 'Number of employees', 'int'],
]

type Base = Pick<Account, 'settings' | 'nextId' | 'now'>

export const makeOptions = (account: Base, labels: readonly string[]): Option[] =>
  labels.map((label) => ({ id: Number(account.nextId('options')), label }))

export function createFields(account: Base): Record<Kind, Field[]> {
  const { contactSync, companyDetails } = account.settings
  const more: Partial<Record<Kind, readonly System[]>> = {
    ...(contactSync && { persons: syncFields }),
    ...(companyDetails && { organizations: detailFields }),
  }
  const make = (kind: Kind): Field[] =>
    [...systemFields[kind], ...(more[kind] ?? [])].map(([code, name, type, options]) => ({
      code,
      name,
      type,
      options: options ? makeOptions(account, options) : null,
      isCustom: false,
      isDeleted: false,
      addedAt: account.now(),
    }))
  return {
    organizations: make('organizations'),
    persons: make('persons'),
    deals: make('deals'),
    activities: make('activities'),
  }
}

export const customFieldsOf = ({ fields }: Account, kind: Kind): Field[] =>
  fields[kind].filter((field) => field.isCustom && !field.isDeleted)

export const optionsOf = ({ fields }: Account, kind: Kind, code: string): Option[] =>
  fields[kind].find((field) => field.code === code)?.options ?? []
