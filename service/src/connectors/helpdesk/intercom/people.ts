import { plainWords } from '../../../text/plain-words.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import { objects, oddAt, parts, withOdd } from '../../kit/odd-places.ts'
import { type Around, idOf, listOf, seconds, shownText, tagNames, textOf, valuesOf } from './look-around.ts'

// Converts companies and contacts to one format.

const noteText = (notes: readonly RawRecord[]): string | null =>
  notes
    .map(({ body }) => plainWords(String(body ?? '')))
    .filter((text) => text !== '')
    .join('\n\n') || null

/** A company without a name is called by the id that the workspace gave it. */
export function toCompany(raw: RawRecord, around: Around, notes: readonly RawRecord[]): RawRecord {
  const company = {
    ...raw,
    name: shownText(raw.name) ?? textOf(raw.company_id) ?? raw.name,
    // The domain of an address with a path is not all of it.
    whole_website: /[^/:][/?#]+[^/]/.test(textOf(raw.website) ?? '') ? raw.website : null,
    note_text: noteText(notes),
    created_at: seconds(raw.remote_created_at) ?? raw.created_at,
    tag_names: tagNames(valueAt(raw, 'tags.tags'), around),
    custom_values: valuesOf(raw.custom_attributes, around.attributes.organizations),
  }
  return withOdd(company, oddAt(raw, { 'tags.tags': objects }))
}

const otherThanText = (value: unknown) => (typeof value === 'string' ? null : (value ?? null))
const placeParts = ['location.city', 'location.region', 'location.country']

const contactParts = { 'companies.data': parts, 'tags.data': objects, 'social_profiles.data': objects }
/** A contact without a name gets the e-mail address or phone number as name, as in Intercom. */
export function toContact(raw: RawRecord, around: Around, notes: readonly RawRecord[], tags: unknown): RawRecord {
  const [email, phone] = [shownText(raw.email), textOf(raw.phone)]
  const companies = listOf(valueAt(raw, 'companies.data'))
  const contact = {
    ...raw,
    // A value of another form is left to the lens, which reports it.
    email: email ?? otherThanText(raw.email),
    phone: phone ?? otherThanText(raw.phone),
    name: shownText(raw.name) ?? email ?? phone ?? `Contact ${String(raw.id).slice(-6)}`,
    company: idOf(companies[0]?.id),
    other_companies: Math.max(0, Number(valueAt(raw, 'companies.total_count') ?? companies.length) - 1),
    tag_names: tagNames(tags, around),
    note_text: noteText(notes),
    owner_name: around.admins.get(String(raw.owner_id)) ?? null,
    place: [...new Set(placeParts.flatMap((part) => textOf(valueAt(raw, part)) ?? []))].join(', ') || null,
    profiles: listOf(valueAt(raw, 'social_profiles.data')).flatMap(
      ({ name, url }) => [textOf(name), textOf(url)].filter(Boolean).join(': ') || [],
    ),
    custom_values: valuesOf(raw.custom_attributes, around.attributes.contacts),
  }
  return withOdd(contact, oddAt(raw, contactParts))
}
