import { Readable } from 'node:stream'
import type {
  Account,
  AccountAccess,
  OutgoingFile,
  OutgoingPart,
  OutgoingRecord,
  SideRecord,
  SideRecords,
  WriteOutcome,
} from '../../../service/src/connectors/contract/contract.ts'
import { openHelpscout } from '../../../service/src/connectors/helpdesk/helpscout/reader.ts'
import { openHelpscoutWriter } from '../../../service/src/connectors/helpdesk/helpscout/writer.ts'
import { createClock } from '../../twins/clock.ts'
import { type HelpScoutTwin, startHelpScoutTwin } from '../../twins/helpscout/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

/** The ledger's notes about unfinished records, as a run passes them to a writer. */
export function createSides(): SideRecords & { size(): number } {
  const all = new Map<string, SideRecord>()
  const nameOf = ({ kind, mark }: Pick<SideRecord, 'kind' | 'mark'>) => `${kind} ${mark}`
  return {
    note: async (...records) => {
      for (const one of records) all.set(nameOf(one), one)
    },
    forget: async (...records) => {
      for (const one of records) all.delete(nameOf(one))
    },
    list: async (kind, marks) =>
      [...all.values()].filter((one) => one.kind === kind && (marks?.includes(one.mark) ?? true)),
    size: () => all.size,
  }
}

/** Starts a twin and opens the connector on it. */
export async function openTwin(options: Parameters<typeof startHelpScoutTwin>[0] = {}) {
  const twin: HelpScoutTwin = await startHelpScoutTwin(options, createClock())
  const outbound = createLoopbackOutbound()
  const sides = createSides()
  const account = (access: Partial<AccountAccess> = {}): Account => ({
    access: { ...twin.access, ...access },
    outbound,
    sides,
    signal: AbortSignal.timeout(600_000),
  })
  return {
    twin,
    sides,
    account,
    reader: (access: Partial<AccountAccess> = {}) => openHelpscout(account(access)),
    writer: (access: Partial<AccountAccess> = {}) => openHelpscoutWriter(account(access)),
    seenAt: (request: string) => twin.seen.filter((one) => one.startsWith(request)).length,
    async close() {
      await twin.close()
      await outbound.close()
    },
  }
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
export const part = (fields: OutgoingRecord['fields'], more: Partial<OutgoingRecord> = {}): OutgoingPart => ({
  ...record({ ticket: { entity: 'tickets', key: 't', destinationId: '' }, ...fields }, more),
  entity: 'comments',
})
export const file = (
  parent: { entity: string; destinationId: string },
  bytes: Buffer,
  name = 'a.txt',
): OutgoingFile => ({
  ...record({ parent: { key: 'p', ...parent }, file_name: name }),
  size: bytes.length,
  contentType: 'text/plain',
  body: Readable.from([bytes], { objectMode: false }),
})
export const idOf = (outcome: WriteOutcome | undefined): string => {
  if (!outcome || !('destinationId' in outcome)) throw new Error(`nothing was written: ${JSON.stringify(outcome)}`)
  return outcome.destinationId
}
export const to = (entity: string, destinationId: string) => ({ entity, key: 'k', destinationId })
export const sought = ({ key }: { key: string }) => ({ key, destinationId: null, parent: null })
