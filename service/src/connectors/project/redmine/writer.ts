import type { Family } from '../../../families/index.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type { Account, DestinationDescription, RemoveOutcome, Writer } from '../../contract/contract.ts'
import { once } from '../../kit/once.ts'
import { writeEach } from '../../kit/write-each.ts'
import { createRedmineApi } from './api.ts'
import { createDirectory } from './directory.ts'
import * as writers from './entity-writers.ts'
import { entityWriters } from './entity-writers.ts'
import { inCall } from './in-call.ts'
import { listToolUsers } from './list-users.ts'
import { removeMembers } from './member-sides.ts'
import { checkPreparation } from './preflight.ts'
import { restoreItems } from './restore-items.ts'
import { take } from './schema.ts'
import { textFormatOf } from './vocabulary.ts'
import { writeFile, writeFiles } from './write-files.ts'
import type { Call, EntityWriter, Writing } from './writing.ts'

const capabilities: DestinationDescription['capabilities'] = {
  deliveryClass: 'C',
  delete: true,
  // The API cannot switch off mail: see preflight.ts.
  silentCreate: false,
  backdate: false,
  createField: false,
  batchSize: 10,
  // Notes of a thread must be written in order, and two changes of one issue at the same time would collide.
  concurrency: 1,
  settleMs: 0,
}

const beside = runBeside(new URL('./entity-writers.ts', import.meta.url).href, writers)

export function openRedmineWriter(account: Account, family: Family): Writer {
  const api = createRedmineApi(account)
  const directory = createDirectory(api, family, account.sides)
  const notes = account.leftovers ?? { note: async () => {}, forget: async () => {} }
  const known = entityWriters[family] ?? {}
  let ready: Writing | null = null
  const open = once(async (): Promise<Writing> => {
    const me = take('user', await api.find('/users/current.json', 'user'))
    const vocabulary = await directory.vocabulary()
    ready = { api, directory, notes, sides: account.sides, family, vocabulary, accountId: me.id, last: null }
    return ready
  })
  const during = async <T>(act: (call: Call) => Promise<T>): Promise<T> => inCall(await open(), act)
  const writerOf = (entity: string): EntityWriter | typeof writeFiles => {
    const writer = entity === 'attachments' ? writeFiles : known[entity]
    if (!writer) throw new Error(`Redmine takes no ${entity} of the family ${family}`)
    return writer
  }

  return {
    async describe() {
      const { vocabulary } = await open()
      const described = Object.entries({ ...known, attachments: writeFiles })
      return {
        account: { name: new URL(api.base).host },
        capabilities,
        textFormat: textFormatOf(vocabulary),
        // Redmine does not tell its limit. It refuses files that are too large.
        maxFileBytes: null,
        entities: Object.fromEntries(described.map(([name, one]) => [name, one.describe(vocabulary, family)])),
      }
    },

    users: (cursor) => listToolUsers(api, cursor, 100),

    async write(entity, records) {
      const writer = known[entity]
      if (!writer) throw new Error(`Redmine takes no ${entity} of the family ${family}`)
      return during((call) => writeEach(records, (record) => writer.write({ ...call, record, losses: [] })))
    },

    writeFile: (_entity, file) => during((call) => writeFile({ ...call, record: file, losses: [] })),

    find: (entity, records) => during((call) => writerOf(entity).find(call, records)),

    asStored(entity, content) {
      // The stored content includes the instance's defaults, so `describe()` must have read them.
      if (!ready) throw new Error('describe() comes before asStored()')
      const { vocabulary, accountId } = ready
      return beside('storedContent', family, entity, content, { vocabulary, accountId })
    },

    remove: (entity, records) =>
      during(async (call) => {
        const outcomes: RemoveOutcome[] = []
        for (const record of records) outcomes.push(await writerOf(entity).remove(call, record))
        return outcomes
      }),

    removeSides: (records, { isForced }) => during(({ locks }) => removeMembers(api, locks, records, isForced)),

    restore: (items) => restoreItems(api, directory, items),

    preflight: async () => checkPreparation((await open()).vocabulary, family),
  }
}
