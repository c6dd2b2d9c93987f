import type { Family } from '../../../families/index.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type { Account, DestinationDescription, FoundRecord, RemoveOutcome, Writer } from '../../contract/contract.ts'
import { once } from '../../kit/once.ts'
import { orRefused } from '../../kit/outcomes.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { writeEach } from '../../kit/write-each.ts'
import { createRedmineApi, type Sent } from './api.ts'
import { createDirectory, removeMember } from './directory.ts'
import * as writers from './entity-writers.ts'
import { describeEntity, entityWriters } from './entity-writers.ts'
import { inCall, restoreItems } from './locks.ts'
import { checkPreparation } from './preflight.ts'
import { listToolUsers } from './read-offset-lists.ts'
import { take } from './schema.ts'
import { textFormatOf } from './vocabulary.ts'
import type { Call, Writing } from './writing.ts'

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
  let ready: Writing | null = null
  const open = once(async (): Promise<Writing> => {
    const me = take('user', await api.find('/users/current.json', 'user'))
    const vocabulary = await directory.vocabulary()
    ready = { api, directory, notes, sides: account.sides, family, vocabulary, accountId: me.id, last: null }
    return ready
  })
  const during = async <T>(act: (call: Call) => Promise<T>): Promise<T> => inCall(await open(), act)
  /** Acts on the records one after the other, in one call. */
  const duringEach = <R, T>(records: readonly R[], act: (call: Call, record: R) => Promise<T>): Promise<T[]> =>
    during((call) => sideBySide(records, 1, (record) => act(call, record)))
  const writerOf = (entity: string) => writers.writerOf(family, entity)

  return {
    async describe() {
      const { vocabulary } = await open()
      const names = Object.keys(entityWriters[family] ?? {})
      return {
        account: { name: new URL(api.base).host },
        capabilities,
        textFormat: textFormatOf(vocabulary),
        // Redmine does not tell its limit. It refuses files that are too large.
        maxFileBytes: null,
        entities: Object.fromEntries(names.map((name) => [name, describeEntity(family, name, vocabulary)])),
      }
    },

    users: (cursor) => listToolUsers(api, cursor, 100),

    async write(entity, records) {
      const { write } = writerOf(entity)
      return during((call) => writeEach(records, (record) => write({ ...call, record, losses: [] })))
    },

    writeFile: (entity, record) =>
      during((call) => orRefused(record.key, () => writerOf(entity).write({ ...call, record, losses: [] }))),

    async find(entity, records) {
      const { find, findAll } = writerOf(entity)
      if (findAll) return during((call) => findAll(call, records))
      const sought = await duringEach(records, async (call, record): Promise<FoundRecord[]> => {
        const found = (await find?.(call, record)) ?? []
        return found.map((one) => ({ key: record.key, ...one }))
      })
      return sought.flat()
    },

    asStored(entity, content) {
      // The stored content includes the instance's defaults, so `describe()` must have read them.
      if (!ready) throw new Error('describe() comes before asStored()')
      const { vocabulary, accountId } = ready
      return beside('storedContent', family, entity, content, { vocabulary, accountId })
    },

    async remove(entity, records) {
      const { remove } = writerOf(entity)
      return duringEach(records, async (call, record) => outcomeOf(record.key, await remove(call, record)))
    },

    removeSides: (records, { isForced }) => duringEach(records, (call, side) => removeMember(call, side, isForced)),

    restore: (items) => restoreItems(api, directory, items),

    preflight: async () => checkPreparation((await open()).vocabulary, family),
  }
}

/** The outcome of a removal. Redmine answers 422 if other records still need this one. */
function outcomeOf(key: string, removal: Sent | string | null): RemoveOutcome {
  if (typeof removal === 'string') return { key, result: 'kept', message: removal }
  if (removal?.isTaken) return { key, result: 'removed' }
  return removal === null || removal.code === 'gone'
    ? { key, result: 'missing' }
    : { key, result: 'kept', message: removal.message }
}
