import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { RequestError } from '../errors.ts'
import { listActivity } from '../imports/list-activity.ts'
import { type ListedRecord, listRecords } from '../imports/list-records.ts'
import { listWarnings } from '../imports/view-runs.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { listVersions } from '../mapping/saved-mappings.ts'
import { isAboutField, isCounted, isSkipped, isWithheld, namesAddress } from '../warnings/codes.ts'
import { admitByCookie } from './admit-by-cookie.ts'
import type { PortalActivity } from './contract.ts'
import type { PortalParts } from './portal-parts.ts'
import { csvLine } from './write-csv.ts'

const rowsAtOnce = 1_000
const mostActivity = 200
/** Acts that leave a new version of the mapping. */
const mappingActs = ['mapping changed', 'record corrected']

const columns = [
  'entity',
  'source_id',
  'source_url',
  'state',
  'destination_id',
  'destination_url',
  'is_verified',
  'code',
  'message',
] as const

type WithId = { Params: { id: string } }

/** The outcome of every record, who did what, and the partner's logo. */
export function registerReportRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db } = parts
  const options = { schema: { hide: true } }

  app.get<WithId>('/portal/imports/:id/report.csv', options, async (request, reply) => {
    const imp = await admitByCookie(parts, request)
    return reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="import-${imp.id}.csv"`)
      .send(Readable.from(reportLines(parts, imp.id)))
  })

  app.get<WithId>('/portal/imports/:id/activity', options, async (request): Promise<{ activity: PortalActivity[] }> => {
    const imp = await admitByCookie(parts, request)
    const [activity, versions] = await Promise.all([listActivity(db, imp.id, mostActivity), listVersions(db, imp.id)])
    const changedBy = new Map(versions.map(({ version, differences }) => [version, differences]))
    return {
      activity: activity.map(({ at, actor, act, status, name, version }) => ({
        at: at.toISOString(),
        by: (['customer', 'partner', 'operator'] as const).find((one) => actor.startsWith(one)) ?? 'service',
        act,
        status_code: status,
        name,
        ...(mappingActs.includes(act) && version !== null && { differences: changedBy.get(version) ?? [] }),
      })),
    }
  })

  app.get<WithId>('/portal/imports/:id/logo', options, async (request, reply) => {
    const imp = await admitByCookie(parts, request)
    const partner = await db
      .selectFrom('imports')
      .innerJoin('partners', 'partners.id', 'imports.partner_id')
      .select(['logo', 'logo_type'])
      .where('imports.id', '=', imp.id)
      .executeTakeFirst()
    if (!partner?.logo || !partner.logo_type) throw new RequestError('not_found', 'The partner has no logo.')
    // A picture and nothing more, even for someone who opens it by itself.
    return reply
      .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .type(partner.logo_type)
      .send(partner.logo)
  })
}

/** A line for each record, then one for each field and kind that no record could bring along. */
async function* reportLines({ db }: PortalParts, importId: string): AsyncGenerator<string> {
  // The mark tells spreadsheets that this is UTF-8.
  yield `\ufeff${[...columns, 'old_links', 'warnings', 'corrected'].join(',')}\r\n`
  let after: { entity: string; sourceId: string } | null = null
  const { changes } = await findNewest(db, importId)
  const correctedOf = ({ entity, source_id }: ListedRecord) =>
    Object.keys(changes.entities?.[entity]?.corrections?.[source_id] ?? {})
  for (;;) {
    const records = await listRecords(db, importId, {}, { after, limit: rowsAtOnce })
    if (records.length > 0) yield records.map((record) => recordLine(record, correctedOf(record))).join('')
    const last = records.at(-1)
    if (!last || records.length < rowsAtOnce) break
    after = { entity: last.entity, sourceId: last.source_id }
  }
  for (const { code, entity, message, count } of await listWarnings(db, importId)) {
    if (!isAboutField(code) && !isSkipped(code) && !isWithheld(code)) continue
    const told = code === 'list_withheld' ? message : `${message} (${count})`
    const summary = { entity, state: 'not_copied', code, message: told }
    yield csvLine([
      ...columns.map((name) => (name in summary ? summary[name as keyof typeof summary] : null)),
      null,
      null,
      null,
    ])
  }
}

/**
 * `old_links`: addresses in its texts that still point to the source, or are broken. `corrected`: fields with a typed
 * value.
 */
const recordLine = (record: ListedRecord, corrected: string[]): string => {
  const warned = record.warned ?? []
  const links = warned.filter(namesAddress).map((code) => code.slice(code.indexOf(':') + 1))
  const isShown = (code: string) => !code.includes('*') || isCounted(code.split('*')[0] ?? '')
  const codes = warned.filter((code) => !isAboutField(code) && !namesAddress(code) && isShown(code))
  return csvLine([...columns.map((name) => record[name]), links.join(' '), codes.join(' '), corrected.join(' ')])
}
