import { Readable } from 'node:stream'
import type {
  Account,
  OutgoingRecord,
  SideRecord,
  SideRecords,
  WriteOutcome,
  Writer,
} from '../../../service/src/connectors/contract/contract.ts'
import { openIntercom } from '../../../service/src/connectors/helpdesk/intercom/reader.ts'
import { openIntercomWriter } from '../../../service/src/connectors/helpdesk/intercom/writer.ts'
import type { Outbound } from '../../../service/src/outbound/outbound.ts'
import { createClock } from '../../twins/clock.ts'
import { type IntercomTwin, startIntercomTwin } from '../../twins/intercom/twin.ts'

/** The ledger's notes, kept in memory. */
export function memorySides(): SideRecords & { all: SideRecord[] } {
  const all: SideRecord[] = []
  const drop = ({ kind, mark }: Pick<SideRecord, 'kind' | 'mark'>) => {
    const at = all.findIndex((one) => one.kind === kind && one.mark === mark)
    if (at >= 0) all.splice(at, 1)
  }
  return {
    all,
    async note(...records) {
      for (const one of records) {
        drop(one)
        all.push(one)
      }
    },
    forget: async (...records) => records.forEach(drop),
    list: async (kind, marks) => all.filter((one) => one.kind === kind && (marks?.includes(one.mark) ?? true)),
  }
}

export async function startAccount(
  outbound: Outbound,
  settings: Parameters<typeof startIntercomTwin>[0] = {},
  startsAt = '2026-01-02T03:04:05.000Z',
) {
  const twin: IntercomTwin = await startIntercomTwin(settings, createClock({ startsAt, isRunning: false }))
  const sides = memorySides()
  const account: Account = {
    access: { username: null, ...twin.access },
    outbound,
    signal: AbortSignal.timeout(600_000),
    sides,
  }
  const writer = openIntercomWriter(account)
  await writer.describe()
  return { twin, sides, account, writer, reader: openIntercom(account) }
}

let made = 0
export const record = (fields: OutgoingRecord['fields'], more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
  key: `imp/${++made}`,
  revision: made,
  destinationId: null,
  createdBy: null,
  customFields: {},
  createdAt: '2020-01-02T03:04:05.000Z',
  updatedAt: null,
  fields,
  ...more,
})

export const fileOf = (fields: OutgoingRecord['fields'], bytes: Buffer, more: Partial<OutgoingRecord> = {}) => ({
  ...record(fields, more),
  size: bytes.length,
  contentType: 'text/plain',
  body: Readable.from([bytes], { objectMode: false }),
})

export const related = (entity: string, destinationId: string) => ({
  entity,
  key: `of/${destinationId}`,
  destinationId,
})

export const idOf = (outcome: WriteOutcome | undefined): string => {
  if (!outcome || !('destinationId' in outcome)) throw new Error(JSON.stringify(outcome))
  return outcome.destinationId
}
export const lossesOf = (outcome: WriteOutcome | undefined) =>
  outcome?.result === 'written' ? (outcome.losses ?? []) : null

export async function writeTicket(writer: Writer, fields: Record<string, unknown> = {}) {
  const [nora] = await writer.write('contacts', [record({ name: 'Nora', emails: 'nora@example.com' })])
  const requester = related('contacts', idOf(nora))
  const sent = record({ subject: 'A ticket', description: '<p>Bent</p>', requester, ...fields })
  const [outcome] = await writer.write('tickets', [sent])
  return { sent, outcome, ticketId: idOf(outcome), contactId: idOf(nora) }
}

export const partsOf = ({ account }: IntercomTwin, id: string) =>
  account.partsOf(id).filter(({ body, fileIds }) => body !== null || fileIds.length > 0)
