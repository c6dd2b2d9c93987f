import type { Upload } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { sideBySide } from '../connectors/kit/side-by-side.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { isWanted } from '../mapping/filter-record.ts'
import { canComeInside, isCarrierRow } from './carry-parts.ts'
import { decideRecords } from './decide-records.ts'
import { isInDestination, type LedgerRow, ledgerPlaces, type Places, refKey } from './ledger.ts'
import { carriedBy, type Loaded } from './read-parts.ts'
import type { RunContext, Stage } from './run-context.ts'
import { uploadFile } from './send-file.ts'
import type { Sending } from './sending.ts'
import { isTransferStuck, lookUntilStuck } from './stuck-page.ts'

/** A file that the destination has, and that no record shows yet. */
export interface UploadedPart {
  sending: Sending
  upload: Upload
}

/**
 * Uploads the files of new records before these are mapped, because their texts may show the files. A file that cannot
 * be uploaded is written by itself later. Nothing is lost if the process ends: the tool forgets uploads that are not used.
 */
export async function uploadParts(
  context: RunContext,
  stage: Stage,
  { records, parts }: Loaded,
  known: ReadonlyMap<string, LedgerRow>,
): Promise<UploadedPart[]> {
  const uploaded: UploadedPart[] = []
  for (const [entity, { most, isUploaded }] of carriedBy(context, stage)) {
    const pages = isUploaded ? parts.filter((page) => page.entity === entity) : []
    if (pages.length === 0) continue
    const { parent = '' } = entityOf(context.family, entity)
    const parentOf = (record: FamilyRecord) => refKey(record.fields[parent] as RecordRef)
    const carrierOf = findCarriers(context, records, parts, known)
    const room = new Map<string, number>()
    const hasRoom = (record: FamilyRecord) => {
      const carrier = carrierOf.get(parentOf(record))
      if (carrier === undefined) return false
      const taken = (room.get(carrier) ?? 0) + 1
      room.set(carrier, taken)
      return taken <= most
    }
    const sendings: Sending[] = []
    for (const page of pages) {
      const some = { records: page.records.filter(hasRoom), warnings: page.warnings }
      const decided = await decideRecords(context, { ...stage, entity }, some, known, { comesInside: true })
      sendings.push(...decided.sendings.filter((one) => one.refusal === undefined && canComeInside(one, known)))
    }
    const { concurrency } = capabilitiesOf(context.mapping.destination, entity)
    const upload = (sending: Sending) =>
      lookUntilStuck(context, () => uploadFile(context, sending), undefined, isTransferStuck)
    const uploads = await sideBySide(sendings, concurrency, async (sending) => {
      const first = await upload(sending)
      // The earlier failures of the run may have been those of other requests, so the file gets one more try.
      return first === undefined ? upload(sending) : first
    })
    for (const [index, sending] of sendings.entries()) {
      const upload = uploads[index]
      if (upload) uploaded.push({ sending, upload })
    }
  }
  if (uploaded.length > 0) await context.crashPoint('files uploaded')
  return uploaded
}

/** The new record that each record travels with: itself, or the one that it belongs to. */
function findCarriers(
  { family, mapping }: RunContext,
  records: readonly FamilyRecord[],
  parts: Loaded['parts'],
  known: ReadonlyMap<string, LedgerRow>,
): Map<string, string> {
  const carriers = records.filter((record) => {
    const row = known.get(refKey(record))
    return !isInDestination(row) && isCarrierRow(row) && isWanted(record, mapping.changes)
  })
  const carrierOf = new Map(carriers.map((record) => [refKey(record), refKey(record)]))
  for (const { entity, records: inside } of parts) {
    const { parent = '' } = entityOf(family, entity)
    for (const record of inside) {
      const carrier = carrierOf.get(refKey(record.fields[parent] as RecordRef))
      if (carrier !== undefined) carrierOf.set(refKey(record), carrier)
    }
  }
  return carrierOf
}

/** The places of records, with the addresses that uploaded files will have. */
export function withUploads(context: RunContext, uploaded: readonly UploadedPart[]): Places {
  const places = ledgerPlaces(context)
  const shown = uploaded.flatMap(({ sending: { record, outgoing }, upload }) => {
    const { entity, sourceId: source_id, sourceUrl: source_url = null } = record
    const place = { entity, source_id, state: 'matched' as const, destination_id: outgoing.key }
    return upload.url === null ? [] : [{ ...place, destination_url: upload.url, source_url }]
  })
  if (shown.length === 0) return places
  const byKey = new Map(shown.map((place) => [refKey({ entity: place.entity, sourceId: place.source_id }), place]))
  return {
    async byRef(refs) {
      const found = await places.byRef(refs)
      for (const ref of refs) {
        const place = byKey.get(refKey(ref))
        if (place) found.set(refKey(ref), place)
      }
      return found
    },
    async byUrl(urls) {
      const own = shown.flatMap(({ source_url, ...place }) =>
        source_url !== null && urls.includes(source_url) ? [{ ...place, source_url }] : [],
      )
      return [...(await places.byUrl(urls)), ...own]
    },
  }
}
