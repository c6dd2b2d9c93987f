import type { StoredContent } from '../connectors/contract/contract.ts'
import type { FamilyRecord } from '../families/record.ts'
import type { PortalComparedField, PortalComparison, PortalContent, PortalRecordView } from './records-contract.ts'

/** A field of a record on both sides, as the engine has compared it. */
export interface ViewedField extends Pick<PortalComparedField, 'name' | 'label' | 'to' | 'verdict'> {
  reasons: string[]
  source: unknown
  stored: unknown
  sourceNames: { title: string; number: string | null }[] | null
  storedNames: { title: string; number: string | null }[] | null
}

/** A record as the engine has looked at it. */
export interface ViewedRecord {
  title: string
  number: string | null
  verdict: PortalComparison['verdict']
  compared: ViewedField[]
  source: FamilyRecord
  mapped: StoredContent | null
  warnings: string[]
  notes: string[]
  stored: (StoredContent & { url: string | null }) | null
  differences: string[]
  htmlFields: string[]
}

export function presentRecord({
  title,
  number,
  verdict,
  compared,
  source,
  mapped,
  warnings,
  notes,
  stored,
  differences,
  htmlFields,
}: ViewedRecord): PortalRecordView {
  return {
    entity: source.entity,
    source_id: source.sourceId,
    title,
    number,
    verdict,
    compared: compared.map(presentField),
    source: {
      fields: source.fields,
      custom_fields: source.customFields ?? {},
      created_at: source.createdAt ?? null,
      updated_at: source.updatedAt ?? null,
      url: source.sourceUrl ?? null,
    },
    mapped: mapped && presentContent(mapped),
    warnings,
    notes,
    stored: stored && { ...presentContent(stored), url: stored.url },
    differences,
    html_fields: htmlFields,
  }
}

function presentField({ name, label, to, verdict, reasons, ...sides }: ViewedField): PortalComparedField {
  const { source, sourceNames, stored, storedNames } = sides
  return {
    name,
    label,
    to,
    verdict,
    reasons,
    source: { value: source, names: sourceNames },
    stored: { value: stored, names: storedNames },
  }
}

function presentContent({ fields, customFields, createdAt, updatedAt }: StoredContent): PortalContent {
  return { fields, custom_fields: customFields, created_at: createdAt, updated_at: updatedAt }
}
