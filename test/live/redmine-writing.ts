import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { OutgoingFile, OutgoingRecord, WriteOutcome } from '../../service/src/connectors/contract/contract.ts'
import { openRedmineWriter } from '../../service/src/connectors/project/redmine/writer.ts'
import type { Family } from '../../service/src/families/index.ts'
import { countMails } from './redmine.ts'
import { accountOf, callRedmine, type readLiveRedmine } from './redmine-live.ts'
import { rememberSides } from './remember-sides.ts'

type Destination = NonNullable<ReturnType<typeof readLiveRedmine>>['destination']
export type Written = Extract<WriteOutcome, { result: 'written' }>

/** A writer to a real Redmine, with a project to write into and records to write. */
export function openWriting(destination: Destination, family: Family = 'project') {
  const sides = rememberSides()
  const call = (method: string, path: string, body?: unknown) => callRedmine(destination, method, path, body)
  const writer = openRedmineWriter(accountOf(destination, sides), family)
  // Each run uses its own keys, so that it can be repeated.
  const run = `imp_${randomBytes(8).toString('hex')}`
  let mails = 0

  const outgoing = (
    key: string,
    fields: Record<string, unknown>,
    rest: Partial<OutgoingRecord> = {},
  ): OutgoingRecord => ({
    key: `${run}/${key}`,
    revision: 1,
    destinationId: null,
    fields,
    customFields: {},
    createdAt: '2001-02-03T04:05:06.000Z',
    updatedAt: null,
    createdBy: { name: 'Ada Lovelace', email: null, userId: null },
    ...rest,
  })
  const write = async (entity: string, record: OutgoingRecord): Promise<Written> => {
    const [outcome] = await writer.write(entity, [record])
    if (outcome?.result !== 'written') throw new Error(`${entity}: ${JSON.stringify(outcome)}`)
    return outcome
  }
  const refer = (entity: string, { key, destinationId }: { key: string; destinationId: string }) => ({
    entity,
    key,
    destinationId,
  })
  const find = (entity: string, record: OutgoingRecord, parent?: { entity: string; destinationId: string }) =>
    writer.find(entity, [{ key: record.key, destinationId: null, parent: parent ?? null }])
  const remove = async (entity: string, { key, destinationId, version }: Written) =>
    (await writer.remove(entity, [{ key, destinationId, version, parent: null }]))[0]

  let project: Written | null = null
  const inProject = () => {
    if (!project) throw new Error('begin() comes first')
    return refer('projects', project)
  }
  let issues = 0
  const makeIssue = (fields: Record<string, unknown> = {}, rest: Partial<OutgoingRecord> = {}) => {
    issues += 1
    const record = outgoing(`issues/${issues}`, { title: `Issue ${issues}`, project: inProject(), ...fields }, rest)
    return record
  }
  const makeFile = (
    key: string,
    fields: Record<string, unknown>,
    bytes: Buffer,
    size: number | null = bytes.length,
  ): OutgoingFile => ({
    ...outgoing(key, fields),
    size,
    contentType: 'application/octet-stream',
    body: Readable.from(bytes.length === 0 ? [] : [bytes]),
  })

  return {
    call,
    writer,
    sides,
    run,
    outgoing,
    write,
    refer,
    find,
    remove,
    inProject,
    makeIssue,
    makeFile,
    async begin(): Promise<Written> {
      mails = await countMails(destination.mailFolder)
      await writer.describe()
      project = await write('projects', outgoing('projects/1', { key: 'writing', name: 'Writing' }))
      return project
    },
    /** The number of mails sent since `prepare`. */
    countNewMails: async () => (await countMails(destination.mailFolder)) - mails,
  }
}
