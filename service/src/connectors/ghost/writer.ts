import type { Account, PreflightCheck, Writer } from '../contract.ts'
import { createGhostApi } from './api.ts'
import { describeSite } from './describe.ts'
import { findRecords } from './find.ts'
import { listUsers } from './reader.ts'
import { removeRecords, removeSides } from './remove.ts'
import { sendFile } from './send-file.ts'
import { storedForm } from './store-long.ts'
import type { WrittenEntity } from './stored-form.ts'
import { writeComments } from './write-comments.ts'
import { writeMembers } from './write-members.ts'
import { writePosts, writeTags } from './write-records.ts'

const written = new Set<string>([
  'media',
  'tags',
  'categories',
  'posts',
  'pages',
  'comments',
  'subscribers',
] satisfies WrittenEntity[])

export function openGhostWriter(account: Account): Writer {
  const api = createGhostApi(account)
  const inTurn = createTurns()
  return {
    describe: async () => describeSite((await api.about()).title || new URL(api.site).host),
    users: (cursor) => listUsers(api, cursor),

    async write(entity, records) {
      const known = toEntity(entity)
      if (records.length === 0) return []
      if (known === 'posts' || known === 'pages') return writePosts(api, known, records)
      // Two at once could make the same tag or member twice: Ghost does not mind.
      if (known === 'tags' || known === 'categories') return inTurn(() => writeTags(api, records))
      if (known === 'comments') return inTurn(() => writeComments(api, records, account.sides))
      if (known === 'subscribers') return inTurn(() => writeMembers(api, records, account.sides))
      throw new Error('files are written with their bytes')
    },
    writeFile(entity, file) {
      if (entity !== 'media') throw new Error(`Ghost has no files that are ${entity}`)
      return sendFile(api, file)
    },
    find: async (entity, records) => (records.length === 0 ? [] : findRecords(api, toEntity(entity), records)),
    remove: async (entity, records) =>
      records.length === 0 ? [] : inTurn(() => removeRecords(api, toEntity(entity), records)),
    removeSides: (records, { isForced }) => inTurn(() => removeSides(api, records, isForced)),
    asStored: (entity, content) => storedForm('asStored', toEntity(entity), content, api.site),

    async preflight() {
      return checkComments(await api.setting('comments_enabled'))
    },
  }
}

function toEntity(entity: string): WrittenEntity {
  if (!written.has(entity)) throw new Error(`Ghost has no ${entity}`)
  return entity as WrittenEntity
}

/** One after the other, whatever becomes of each. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(act: () => Promise<T>): Promise<T> => {
    const turn = last.then(act, act)
    last = turn.catch(() => {})
    return turn
  }
}

function checkComments(enabled: unknown): PreflightCheck[] {
  const isFine = enabled === 'all'
  const message =
    enabled === 'paid'
      ? 'Only paying members may comment in this Ghost, so comments of others are refused.'
      : 'Comments are switched off in this Ghost, so none can be imported.'
  return [
    {
      code: 'comments_enabled',
      isFine,
      isBlocking: false,
      message: isFine ? 'Members may comment.' : message,
      ...(isFine ? {} : { fix: 'In Ghost, under Settings, Access, let all members comment, at least for the import.' }),
    },
  ]
}
