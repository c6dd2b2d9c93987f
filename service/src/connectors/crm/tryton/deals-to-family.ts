import type { RecordRef } from '../../../families/record.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { withCustomFields } from './custom-fields.ts'
import type { ChildNames, DealNames } from './load-names.ts'
import { readMarked } from './marker.ts'
import type { Kind } from './party-kind.ts'
import type { Taken } from './schema.ts'
import { outcomeOf, pipelineId } from './states.ts'
import { joinFilled } from './texts.ts'
import { mapRecord, partyRef } from './to-family.ts'
import { readDate, readDecimal } from './wire-values.ts'

// Converts opportunities, notes and files to records. No function here has side effects.

export function toDeal(taken: Taken<'sale.opportunity'>, names: DealNames): MappedRecord {
  const { row } = taken
  const state = row.state ?? 'lead'
  const outcome = outcomeOf(state)
  const party = partyRef(row.party, names.kinds)
  const mechanism = names.mechanisms.get(row.contact ?? -1)
  const contacts = [party, partyRef(mechanism?.party, names.kinds)].filter(
    (ref): ref is RecordRef => ref?.entity === 'contacts',
  )
  const currency = names.currencies.get(row.currency ?? -1)?.code
  const endsOn = row.end_date ? readDate(row.end_date) : null
  return mapRecord('deals', taken, {
    sourceUrl: names.urlOf(row.id),
    createdBy: names.people.user(row.create_uid),
    childCounts: names.childCounts.get(row.id) ?? {},
    fields: {
      name: row.description || row.reference || (row.number ? `Opportunity ${row.number}` : ''),
      value: row.amount && currency ? { amount: readDecimal(row.amount), currency } : null,
      pipeline: { entity: 'pipelines', sourceId: pipelineId },
      stage: { entity: 'stages', sourceId: state },
      status: outcome,
      probability: typeof row.conversion_probability === 'number' ? Math.round(row.conversion_probability * 100) : null,
      expected_close_on: outcome === 'open' ? endsOn : null,
      closed_at: outcome !== 'open' && endsOn ? `${endsOn}T00:00:00.000Z` : null,
      lost_reason: row.lost_reason || null,
      account: party?.entity === 'accounts' ? party : null,
      contacts: [...new Map(contacts.map((ref) => [ref.sourceId, ref])).values()],
      description: row.comment || null,
      owner: names.people.employee(row.employee) ?? null,
    },
    customFields: withCustomFields('deals', {
      number: row.number ?? null,
      reference: row.reference ?? null,
      start_date: row.start_date ? readDate(row.start_date) : null,
      contact: mechanism?.value ?? null,
      address: names.addresses.get(row.address ?? -1),
      payment_term: names.paymentTerms.get(row.payment_term ?? -1),
      lines: names.lines.get(row.id) ?? [],
    }),
  })
}

/** Parses Tryton's reference to the parent of a note or file: `party.party,5`. */
export function readResource(resource: string | null | undefined): { model: string; id: number } | null {
  const [, model, id] = /^(party\.party|sale\.opportunity),(\d+)$/.exec(resource ?? '') ?? []
  return model === undefined ? null : { model, id: Number(id) }
}

export function resourceRef(resource: string | null | undefined, kinds: ReadonlyMap<number, Kind>): RecordRef | null {
  const found = readResource(resource)
  if (!found) return null
  return found.model === 'party.party' ? partyRef(found.id, kinds) : { entity: 'deals', sourceId: String(found.id) }
}

/** Removes our marker, but keeps the line that names the author and time in an earlier tool. */
function withoutMarker(whole: string | null | undefined): string {
  const { text, origin } = readMarked(whole)
  return origin === null ? text : joinFilled([text, `— ${origin}`], '\n\n')
}

export function toNote(taken: Taken<'ir.note'>, { kinds, people }: ChildNames): MappedRecord {
  const { resource, message, create_uid } = taken.row
  const createdBy = people.user(create_uid)
  const body = { format: 'plain' as const, body: withoutMarker(message) }
  const fields = { related: resourceRef(resource, kinds), body, author: createdBy ?? null }
  return mapRecord('notes', taken, { createdBy, fields })
}

/** The bytes of a shortcut file that opens the link. */
export const shortcutOf = (link: string): Buffer => Buffer.from(`[InternetShortcut]\r\nURL=${link}\r\n`)

export function toAttachment(taken: Taken<'ir.attachment'>, { kinds, people }: ChildNames): MappedRecord {
  const { id, type, name, resource, description, file_id, data_size, create_uid } = taken.row
  const link = type === 'link' ? (taken.row.link ?? '') : null
  const createdBy = people.user(create_uid)
  const mapped = mapRecord('attachments', taken, {
    createdBy,
    fields: {
      parent: resourceRef(resource, kinds),
      file_name: link === null ? (name ?? '') : `${name ?? ''}.url`,
      size: link === null ? (data_size ?? 0) : shortcutOf(link).length,
      uploaded_by: createdBy ?? null,
    },
    customFields: withCustomFields('attachments', { description: withoutMarker(description), link }),
  })
  // Tryton stores no empty files. A file with an id and no bytes was lost from Tryton's file store.
  if (type !== 'link' && file_id && data_size === 0) {
    const message = 'Tryton has lost the bytes of this file; only its name is left.'
    mapped.warnings.push({ entity: 'attachments', sourceId: String(id), code: 'file_lost', message })
  }
  return mapped
}
