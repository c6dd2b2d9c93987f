import { findAccess } from '../accounts/sealed-access.ts'
import { prepareCertificate } from '../certificates/issue-certificate.ts'
import type { DestinationDescription, Reader, Writer } from '../connectors/contract/contract.ts'
import { capabilitiesOf, isCarried } from '../connectors/entity-capabilities.ts'
import type { MappingChanges } from '../db/mapping-changes.ts'
import { ObstacleError } from '../errors.ts'
import { entityOf, type Family } from '../families/index.ts'
import { findChanges } from '../mapping/save-changes.ts'
import { askInParts, limitPages } from '../outbound/ask-for-less.ts'
import type { WriteFence } from '../outbound/paced-outbound.ts'
import { watchClock } from '../outbound/watched-clock.ts'
import { releaseHolds } from './account-pace.ts'
import { blame, blameAccount } from './blame-account.ts'
import { correctRecords } from './correct-records.ts'
import { countReads } from './count-reads.ts'
import { readAndCut } from './hash-record.ts'
import { isolateUnreadable } from './isolate-unreadable.ts'
import type { ClaimedRun } from './lease.ts'
import { type AccountParts, openAccount } from './open-account.ts'
import { restoreIdle } from './restore-idle.ts'
import type { OpenedImport, RunContext } from './run-context.ts'
import { countFailures } from './stuck-page.ts'
import { vetFound } from './vet-found.ts'
import { vetOutcomes } from './vet-outcomes.ts'

export interface OpenRunParts extends AccountParts {
  crashPoint?: RunContext['crashPoint']
}

/** Opens both accounts of a run, and reads the description of the destination. */
export async function openRun(parts: OpenRunParts, run: ClaimedRun): Promise<RunContext> {
  const { db, keyRing, crashPoint = async () => {} } = parts
  const changes = await findChanges(db, run.importId, run.mappingVersion)
  const fence = { confirm: () => run.lease.beforeSend(), check: () => run.lease.atSend() }
  // We have the run alone: the worker that had it before sends no more requests.
  await releaseHolds(db, run.id)
  const opened = await openImport({ ...parts, fence, owner: run.id }, run.importId, changes)
  // Kept in memory: when an import is cancelled, its authorization is erased before its run stops.
  const access = (await findAccess(db, keyRing, run.importId, 'destination')) ?? undefined
  return {
    ...opened,
    run,
    crashPoint,
    certify: () => prepareCertificate(parts, run),
    restoreIdle: () => restoreIdle(parts, run.importId, access),
  }
}

/** Opens both accounts of an import. */
export async function openImport(
  parts: OpenRunParts & { fence?: WriteFence; owner?: string },
  importId: string,
  changes: MappingChanges,
): Promise<OpenedImport> {
  const { db, connectors, fence, owner } = parts
  const imp = await db
    .selectFrom('imports')
    .select(['source_tool', 'destination_tool', 'family'])
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  const sourceTool = connectors.find(({ tool }) => tool === imp.source_tool)
  const source = sourceTool?.source
  const clock = watchClock(parts.outbound)
  const destination = connectors.find(({ tool }) => tool === imp.destination_tool)?.destination
  if (!source || !destination) {
    throw new ObstacleError(
      'no_connector',
      'operator',
      `There is no connector from ${imp.source_tool} to ${imp.destination_tool}.`,
    )
  }
  const place = { importId, fence, owner }
  const watched = { ...parts, outbound: clock.outbound }
  const from = await openAccount(watched, { ...place, role: 'source', tool: imp.source_tool }).catch(blame('source'))
  const to = await openAccount(parts, { ...place, role: 'destination', tool: imp.destination_tool }).catch(
    blame('destination'),
  )
  if (source.requestsAtOnce) from.pace.limit({ concurrency: source.requestsAtOnce })
  const opened = vetOutcomes(imp.destination_tool, await destination.open(to.account, imp.family), imp.family)
  const writer = isolateUnreadable(blameAccount('destination', opened), async () =>
    owner === undefined ? Number.POSITIVE_INFINITY : countFailures({ db, run: { id: owner } }),
  )
  const close = async () => {
    await Promise.all([from.pace.close(), to.pace.close()])
  }
  try {
    const description = await writer.describe()
    to.pace.limit({ ...description.capabilities, concurrency: mostAtOnce(description) })
    return {
      db,
      importId,
      family: imp.family,
      reader: correctRecords(
        countReads(
          imp.source_tool,
          readSmallPages(blameAccount('source', await source.open(from.account, imp.family))),
        ),
        imp.family,
        changes,
      ),
      tellsDeleted: new Set(source.tellsDeleted ?? []),
      nested: new Set(source.nested ?? []),
      writer: readFoundAhead(
        vetFound(writer, description, { db, importId, tool: imp.destination_tool }),
        description,
        imp.family,
      ),
      sourceLabel: sourceTool.label,
      destinationTool: imp.destination_tool,
      sourceLagMs: clock.lagMs,
      sourceSite: siteOf(from.account.access.instanceUrl),
      mapping: { changes, destination: description },
      close,
    }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

/** The batches at once of the entity that takes most of them. */
const mostAtOnce = (description: DestinationDescription): number =>
  Math.max(
    description.capabilities.concurrency,
    ...Object.keys(description.entities).map((entity) => capabilitiesOf(description, entity).concurrency),
  )

/** The address as a base for relative ones, without the credentials in it. */
function siteOf(instanceUrl: string | null): string | null {
  const url = instanceUrl === null ? null : URL.parse(instanceUrl.trim())
  return url && `${url.origin}${url.pathname.replace(/\/+$/, '')}/`
}

/** Hashes the long texts of found records as they arrive: each is compared with the sent content later. */
function readFoundAhead(writer: Writer, description: DestinationDescription, family: Family): Writer {
  return {
    ...writer,
    async find(entity, records) {
      const parent = isCarried(description, entity) ? entityOf(family, entity).parent : undefined
      return askInParts(records, async (some) => {
        const found = await writer.find(entity, some)
        await readAndCut(found, parent)
        return found
      })
    },
  }
}

/** Texts of any length are copied. This limits how much text is in memory at once. */
function readSmallPages(reader: Reader): Reader {
  const { readSome } = reader
  const limited: Reader = { ...reader, read: (...asked) => limitPages(() => reader.read(...asked)) }
  if (readSome) limited.readSome = (...asked) => limitPages(() => readSome(...asked))
  return limited
}
