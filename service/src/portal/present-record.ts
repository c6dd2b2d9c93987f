import type { StoredContent } from '../connectors/contract.ts'
import type { FamilyRecord } from '../families/record.ts'
import type { PortalContent, PortalRecordView } from './contract.ts'

/** A record as the engine has looked at it. */
export interface ViewedRecord {
  source: FamilyRecord
  mapped: StoredContent | null
  warnings: string[]
  notes: string[]
  stored: (StoredContent & { url: string | null }) | null
  differences: string[]
  htmlFields: string[]
}

export function presentRecord({
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

function presentContent({ fields, customFields, createdAt, updatedAt }: StoredContent): PortalContent {
  return { fields, custom_fields: customFields, created_at: createdAt, updated_at: updatedAt }
}
