import { Parser } from 'htmlparser2'
import type { CustomFieldValue, FamilyRecord, FieldValue, RecordRef, RichText, UserRef } from '../../families/record.ts'
import type { SourceWarning } from '../../warnings/codes.ts'
import type { RecordWarning } from '../contract.ts'
import { builtInFields, readCustomValue, type TicketField, withValue } from './custom-fields.ts'
import { type ListName, type Raw, type RawRecord, takeFields } from './schema.ts'

// Raw → record. Pure; what could not be taken along stands beside the record as warnings.

export interface MappedRecord {
  record: FamilyRecord
  warnings: RecordWarning[]
}

type Parts = Omit<FamilyRecord, 'entity' | 'sourceId' | 'createdAt' | 'updatedAt' | 'fields'> & {
  fields: Record<string, FieldValue | undefined>
  /** Names of fields of the desk that were not what they should be. */
  odd?: string[]
}

function map<E extends Exclude<ListName, 'agents' | 'ticket_fields'>>(
  entity: E,
  given: RawRecord,
  toParts: (raw: Raw<E>) => Parts,
  required: readonly string[],
): MappedRecord {
  const { raw, odd } = takeFields(entity, given)
  const { fields, odd: oddInside = [], ...rest } = toParts(raw)
  const stamps = raw as { created_at?: string; updated_at?: string }
  const sourceId = String(given.id)
  const present = Object.entries(fields).filter((entry): entry is [string, FieldValue] => entry[1] !== undefined)
  const record: FamilyRecord = {
    entity,
    sourceId,
    ...(stamps.created_at === undefined ? {} : { createdAt: toMoment(stamps.created_at) }),
    ...(stamps.updated_at === undefined ? {} : { updatedAt: toMoment(stamps.updated_at) }),
    ...rest,
    fields: Object.fromEntries(present),
  }
  const warn = (code: SourceWarning, message: string): RecordWarning => ({ entity, sourceId, code, message })
  const warnings = [...odd, ...oddInside].map((name) =>
    warn('field_unreadable', `The field "${name}" holds something other than expected and was left out.`),
  )
  for (const name of required) {
    if ((record.fields[name] ?? '') === '') warnings.push(warn('required_empty', `The field "${name}" is empty.`))
  }
  return { record, warnings }
}

export function toGroup(given: RawRecord, agentIds: readonly number[]): MappedRecord {
  const toParts = ({ name, description }: Raw<'groups'>) => ({
    fields: { name, description, agents: agentIds.map((id) => ({ userId: String(id) })) },
  })
  return map('groups', given, toParts, ['name'])
}

export function toOrganization(given: RawRecord): MappedRecord {
  const { phone: phoneField, address: addressField } = builtInFields.organizations
  const toParts = ({ name, domains, notes, phone, address }: Raw<'organizations'>) => {
    const customFields: Record<string, CustomFieldValue> = {
      ...(phone ? { phone: withValue(phoneField, { number: phone }) } : {}),
      ...(address ? { address: withValue(addressField, { line1: address }) } : {}),
    }
    return { fields: { name, domains, notes }, customFields }
  }
  return map('organizations', given, toParts, ['name'])
}

export function toContact(given: RawRecord): MappedRecord {
  const toParts = ({ name, emails, phones, organization_id, language, notes }: Raw<'contacts'>) => ({
    fields: {
      name,
      emails: emails?.map((address, index) => ({ address, isPrimary: index === 0 })),
      phones: phones?.map((number) => ({ number })),
      organization: toRef('organizations', organization_id),
      language,
      notes,
    },
  })
  return map('contacts', given, toParts, ['name'])
}

export function toTicket(given: RawRecord, ticketFields: ReadonlyMap<string, TicketField>): MappedRecord {
  const toParts = (raw: Raw<'tickets'>) => {
    const custom: [string, CustomFieldValue][] = []
    const odd: string[] = []
    if (raw.cc?.length) {
      const addresses = raw.cc.map((address) => ({ address }))
      custom.push(['cc', withValue(builtInFields.tickets.cc, addresses)])
    }
    for (const [key, value] of Object.entries(raw.custom_fields ?? {})) {
      const field = ticketFields.get(key)
      const read = field && readCustomValue(field, value)
      if (read) custom.push([field.key, read])
      else odd.push(`custom_fields.${key}`)
    }
    return {
      ...(raw.url === undefined ? {} : { sourceUrl: raw.url }),
      ...(raw.comment_count === undefined ? {} : { childCounts: { comments: raw.comment_count } }),
      fields: {
        number: raw.number === undefined ? undefined : String(raw.number),
        subject: raw.subject,
        description: toHtml(raw.description),
        type: raw.type,
        status: raw.status,
        priority: raw.priority,
        channel: raw.channel,
        requester: toRef('contacts', raw.requester_id),
        assignee: toUserRef(raw.assignee_id),
        group: toRef('groups', raw.group_id),
        organization: toRef('organizations', raw.organization_id),
        tags: raw.tags,
        due_at: raw.due_at ? toMoment(raw.due_at) : raw.due_at,
      },
      customFields: Object.fromEntries(custom),
      odd,
    }
  }
  return map('tickets', given, toParts, ['subject'])
}

export function toComment(given: RawRecord): MappedRecord {
  const toParts = (raw: Raw<'comments'>) => {
    const author = toUserRef(raw.author_type === 'agent' ? raw.author_id : undefined)
    return {
      ...(author ? { createdBy: author } : {}),
      fields: {
        ticket: toRef('tickets', raw.ticket_id),
        author_agent: author,
        author_contact: toRef('contacts', raw.author_type === 'contact' ? raw.author_id : undefined),
        body: toHtml(raw.body, raw.attachments),
        // Whatever is not certainly public stays among the agents.
        is_public: raw.public ?? false,
      },
    }
  }
  return map('comments', given, toParts, ['ticket'])
}

/** The files of a comment. Author and privacy are the comment's: the file itself does not tell. */
export function toAttachments(comment: RawRecord): MappedRecord[] {
  const { raw: about } = takeFields('comments', comment)
  const uploadedBy = about.author_type === 'agent' ? toUserRef(about.author_id) : undefined
  const toParts = ({ url, file_name, content_type, size, inline }: Raw<'attachments'>) => ({
    ...(url === undefined ? {} : { sourceUrl: url }),
    fields: {
      parent: toRef('comments', comment.id),
      file_name,
      content_type,
      size,
      is_inline: inline,
      is_private: about.public !== true,
      uploaded_by: uploadedBy,
    },
  })
  return (about.attachments ?? []).map((file) => map('attachments', file, toParts, ['file_name']))
}

export function toCategory(given: RawRecord): MappedRecord {
  const toParts = ({ name, description, position }: Raw<'categories'>) => ({ fields: { name, description, position } })
  return map('categories', given, toParts, ['name'])
}

export function toArticle(given: RawRecord): MappedRecord {
  const toParts = (raw: Raw<'articles'>) => {
    const author = toUserRef(raw.author_id)
    const body: RichText | undefined =
      raw.body === undefined ? undefined : { format: raw.format ?? 'plain', body: raw.body }
    return {
      ...(raw.url === undefined ? {} : { sourceUrl: raw.url }),
      ...(author ? { createdBy: author } : {}),
      fields: {
        title: raw.title,
        body,
        status: raw.status,
        category: toRef('categories', raw.category_id),
        author,
        locale: raw.locale,
        labels: raw.labels,
        position: raw.position,
        url: raw.url,
      },
    }
  }
  return map('articles', given, toParts, ['title'])
}

const toMoment = (text: string): string => new Date(text).toISOString()

function toRef<T extends null | undefined>(entity: string, id: number | T): RecordRef | T {
  return typeof id === 'number' ? { entity, sourceId: String(id) } : id
}

function toUserRef<T extends null | undefined>(id: number | T): UserRef | T {
  return typeof id === 'number' ? { userId: String(id) } : id
}

function toHtml(body: string | undefined, files: readonly RawRecord[] = []): RichText | undefined {
  if (body === undefined) return undefined
  const shows = files.length === 0 ? () => false : createShows(body)
  const inlineFiles = files.flatMap((file) => {
    const { url, content_url } = takeFields('attachments', file).raw
    const used = [url, content_url].filter((address) => address !== undefined && shows(address))
    return used.map((address) => ({ url: String(address), attachment: String(file.id) }))
  })
  return { format: 'html', body, ...(inlineFiles.length > 0 ? { inlineFiles } : {}) }
}

/** Longer texts are only searched for the address: to parse them would keep the event loop from others. */
const longText = 100_000

function createShows(html: string): (address: string) => boolean {
  if (html.length > longText)
    return (address) => html.includes(address) || html.includes(address.replaceAll('&', '&amp;'))
  const shown = imageAddresses(html)
  return (address) => shown.has(address)
}

function imageAddresses(html: string): Set<string> {
  const addresses = new Set<string>()
  const parser = new Parser({
    onopentag: (name, { src }) => {
      if (name === 'img' && src !== undefined) addresses.add(src)
    },
  })
  parser.end(html)
  return addresses
}
