import type { Account, PreflightCheck, Writer } from '../contract.ts'
import { createWordpressApi } from './api.ts'
import { describeSite } from './describe.ts'
import { findRecords } from './find.ts'
import { restoreHeld, sweepHoldingPosts } from './hold-comments.ts'
import { listUsers } from './reader.ts'
import { removeRecords } from './remove.ts'
import { missingRights } from './rights.ts'
import { sendFile } from './send-file.ts'
import { storedForm } from './store-long.ts'
import type { WrittenEntity } from './stored-form.ts'
import { removeTerms } from './term-sides.ts'
import { writeComments } from './write-comments.ts'
import { writePosts, writeTerms } from './write-records.ts'

const written = new Set<string>(['media', 'tags', 'categories', 'posts', 'pages', 'comments'] satisfies WrittenEntity[])

export function openWordpressWriter(account: Account): Writer {
  const api = createWordpressApi(account)
  let swept: Promise<void> | null = null
  return {
    describe: async () => describeSite((await api.siteName()) || new URL(api.site).host),
    users: (cursor) => listUsers(api, cursor),

    async write(entity, records) {
      const known = toEntity(entity)
      if (records.length === 0) return []
      if (known === 'posts' || known === 'pages') return writePosts(api, known, records)
      if (known === 'tags' || known === 'categories') return writeTerms(api, known, records, account.sides)
      if (known === 'media') throw new Error('files are written with their bytes')
      swept ??= sweepHoldingPosts(api, Date.now())
      await swept
      return writeComments(api, records, account.leftovers)
    },
    writeFile(entity, file) {
      if (entity !== 'media') throw new Error(`WordPress has no files that are ${entity}`)
      return sendFile(api, file)
    },
    find: async (entity, records) => (records.length === 0 ? [] : findRecords(api, toEntity(entity), records)),
    remove: async (entity, records) => (records.length === 0 ? [] : removeRecords(api, toEntity(entity), records)),
    asStored: (entity, content) => storedForm('asStored', toEntity(entity), content),

    removeSides: (records) => removeTerms(api, records),
    restore: (items) => restoreHeld(api, items),

    async preflight() {
      const { capabilities } = await api.me()
      return checkRights(capabilities)
    },
  }
}

function toEntity(entity: string): WrittenEntity {
  if (!written.has(entity)) throw new Error(`WordPress has no ${entity}`)
  return entity as WrittenEntity
}

function checkRights(capabilities: Record<string, unknown>): PreflightCheck[] {
  const missing = missingRights(capabilities, 'write')
  const mayWriteHtml = capabilities.unfiltered_html === true
  return [
    {
      code: 'rights',
      isFine: missing.length === 0,
      isBlocking: true,
      message: missing.length === 0 ? 'The user may write everything.' : `The user lacks: ${missing.join(', ')}.`,
      ...(missing.length === 0 ? {} : { fix: 'Connect WordPress with an application password of an administrator.' }),
    },
    {
      code: 'unfiltered_html',
      isFine: mayWriteHtml,
      isBlocking: false,
      message: mayWriteHtml
        ? 'Texts are kept as they are sent.'
        : 'WordPress takes markup out of the texts of this user (a site of a network does so for all but its super administrators).',
      ...(mayWriteHtml ? {} : { fix: 'Use a super administrator, or look at the formatting of a sample first.' }),
    },
  ]
}
