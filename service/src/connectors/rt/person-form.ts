import type { Phone } from '../../families/record.ts'
import { asciiAddress } from '../ascii-address.ts'
import type { OutgoingContent, StoredContent } from '../contract.ts'
import type { AccountFacts } from './account-facts.ts'
import { customRequest, readCustomTexts, storedCustom, takeCustomTexts } from './custom-texts.ts'
import type { Raw } from './schema.ts'
import { cleanText, idOf, oneLine, versionOf } from './stored-values.ts'
import { phonesOf, toAddress } from './to-family.ts'

const phoneKinds = ['work', 'mobile', 'home', 'pager'] as const
type Phones = Partial<Record<(typeof phoneKinds)[number], string>>
const addressLengths = { line1: 200, line2: 200, city: 100, region: 100, postalCode: 16, country: 50 }

/** A user as Request Tracker keeps it, whether to be written or read. Lengths are those of its columns. */
export interface PersonForm {
  name: string
  email: string
  phones: Phones
  organization: string
  language: string
  timezone: string
  notes: string
  isSuspended: boolean
  /** Empty when it is the address, or was made up. */
  login: string
  extraInfo: string
  address: Record<string, string>
  custom: Record<string, string[]>
}

export function personOfContent({ fields, customFields }: OutgoingContent, facts: AccountFacts): PersonForm {
  const text = (value: unknown, maxLength: number) => (typeof value === 'string' ? oneLine(value, maxLength) : '')
  const long = (value: unknown) => (typeof value === 'string' ? cleanText(value) : '')
  const email = asciiAddress(text(Array.isArray(fields.emails) ? fields.emails[0] : fields.emails, 120))
  const login = text(customFields.login?.value, 200)
  const address = (customFields.address?.value ?? {}) as Record<string, unknown>
  return {
    name: text(fields.name, 120),
    email,
    phones: placePhones(fields.phones),
    organization: oneLine(idOf(fields.organization) ?? '', 200),
    language: text(fields.language, 16),
    timezone: text(fields.timezone, 50),
    notes: long(fields.notes),
    isSuspended: fields.is_suspended === true,
    login: login === email || isMadeUp(login) ? '' : login,
    extraInfo: long(customFields.extra_info?.value),
    address: Object.fromEntries(
      Object.entries(addressLengths).flatMap(([name, length]) => {
        const line = text(address[name], length)
        return line ? [[name, line]] : []
      }),
    ),
    custom: takeCustomTexts(facts.fields.contacts, customFields),
  }
}

export function personOfRaw(raw: Raw<'user'>, facts: AccountFacts): PersonForm {
  const login = raw.Name ?? ''
  return {
    name: raw.RealName ?? '',
    email: raw.EmailAddress ?? '',
    phones: Object.fromEntries(phonesOf(raw).map(({ type, number }) => [type, number])),
    organization: raw.Organization ?? '',
    language: raw.Lang ?? '',
    timezone: raw.Timezone ?? '',
    notes: raw.Comments ?? '',
    isSuspended: Number(raw.Disabled ?? 0) !== 0,
    login: login === raw.EmailAddress || isMadeUp(login) ? '' : login,
    extraInfo: raw.FreeformContactInfo ?? '',
    address: toAddress(raw),
    custom: readCustomTexts(facts.fields.contacts, raw.CustomFields),
  }
}

export function storedPerson(form: PersonForm, facts: AccountFacts): StoredContent {
  return {
    fields: {
      name: form.name,
      emails: form.email,
      phones: phoneKinds.flatMap((type) => (form.phones[type] ? [{ number: form.phones[type], type }] : [])),
      organization: form.organization,
      language: form.language,
      timezone: form.timezone,
      notes: form.notes,
      is_suspended: form.isSuspended,
    },
    customFields: {
      login: form.login,
      extra_info: form.extraInfo,
      address: Object.keys(form.address).length > 0 ? form.address : null,
      ...storedCustom(facts.fields.contacts, form.custom),
    },
    createdAt: null,
    updatedAt: null,
  }
}

/** With what people can set and we never write. `isSuspended` where a list does not tell. */
export function personVersion(raw: Raw<'user'>, facts: AccountFacts, isSuspended?: boolean): string {
  const form = personOfRaw(raw, facts)
  const { NickName, Gecos, Signature } = raw
  return versionOf(storedPerson({ ...form, isSuspended: isSuspended ?? form.isSuspended }, facts), {
    ...{ NickName, Gecos, Signature },
  })
}

export function personRequest(form: PersonForm, facts: AccountFacts) {
  const { address, phones } = form
  return {
    EmailAddress: form.email,
    RealName: form.name,
    Organization: form.organization,
    Lang: form.language,
    Timezone: form.timezone,
    Comments: form.notes,
    FreeformContactInfo: form.extraInfo,
    WorkPhone: phones.work ?? '',
    MobilePhone: phones.mobile ?? '',
    HomePhone: phones.home ?? '',
    PagerPhone: phones.pager ?? '',
    Address1: address.line1 ?? '',
    Address2: address.line2 ?? '',
    City: address.city ?? '',
    State: address.region ?? '',
    Zip: address.postalCode ?? '',
    Country: address.country ?? '',
    CustomFields: customRequest(facts.fields.contacts, form.custom),
  }
}

/** Each to the field of its kind, the others to those that are free; a fifth has no place. */
function placePhones(given: unknown): Phones {
  const phones: Phones = {}
  const list = (Array.isArray(given) ? given : []) as (Phone | string)[]
  const entries = list.map((one) => (typeof one === 'string' ? { number: one } : one) as Phone)
  const left = entries.filter(({ number, type }) => {
    const kind = phoneKinds.find((known) => known === type?.toLowerCase() && !phones[known])
    if (kind) phones[kind] = oneLine(number, 30)
    return !kind
  })
  for (const { number } of left) {
    const free = phoneKinds.find((kind) => !phones[kind])
    if (free) phones[free] = oneLine(number, 30)
  }
  return phones
}

const madeUp = /^wherry-[0-9a-f]{16}$/
export const isMadeUp = (login: string): boolean => madeUp.test(login)
