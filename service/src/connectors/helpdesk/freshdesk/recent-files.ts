import type { RecordRef } from '../../../families/record.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { Walk } from '../../kit/pages.ts'

/** Addresses of files last for five minutes. */
const recentMs = 2 * 60_000
/** The maximum number of remembered lists. */
const mostLists = 500

interface FileList {
  files: RawRecord[]
  at: number
  isWhole: boolean
}

/**
 * Remembers the files of tickets and messages that were read a moment ago, so that a ticket which is sent together with
 * its files is not requested again for them. Later stages list all files anew.
 */
export function openRecentFiles() {
  const lists = new Map<string, FileList>()
  const addresses = new Map<string, { url: unknown; at: number }>()
  const isRecent = ({ at }: { at: number }) => Date.now() - at < recentMs

  function keep(name: string, files: RawRecord[], isFirst: boolean, isLast: boolean): void {
    if (lists.size > mostLists) {
      lists.clear()
      addresses.clear()
    }
    const at = Date.now()
    const before = isFirst ? { files: [], at } : lists.get(name)
    if (before) lists.set(name, { files: [...before.files, ...files], at: before.at, isWhole: isLast })
    for (const { id, attachment_url: url } of files) addresses.set(String(id), { url, at })
  }
  const listOf = (name: string): RawRecord[] | null => {
    const list = lists.get(name)
    return list?.isWhole && isRecent(list) ? list.files : null
  }
  const nameOf = ({ entity, sourceId }: RecordRef) =>
    entity === 'tickets' ? `ticket ${sourceId}` : entity === 'comments' ? `messages ${sourceId.split('-')[0]}` : ''

  return {
    keepOfTicket: (id: unknown, files: RawRecord[]) => keep(`ticket ${id}`, files, true, true),
    /** Remembers the files of the messages that pass, once they were all read from the first to the last. */
    keepOfMessages:
      (ticketId: string, walk: Walk<RawRecord>): Walk<RawRecord> =>
      async (cursor, size) => {
        const page = await walk(cursor, size)
        const files = page.items.flatMap((message) => message.files as RawRecord[])
        keep(`messages ${ticketId}`, files, cursor === null, page.next === null)
        return page
      },
    /** Answers the files below these parents at once if all of them are remembered, and asks for them otherwise. */
    below:
      (parents: readonly RecordRef[], walk: Walk<RawRecord>): Walk<RawRecord> =>
      async (cursor, size) => {
        const found = cursor === null ? [...new Set(parents.map(nameOf))].map(listOf) : [null]
        const isKnown = (files: RawRecord[] | null): files is RawRecord[] => files !== null
        return found.every(isKnown) ? { items: found.flat(), next: null } : walk(cursor, size)
      },
    addressOf(fileId: string): string | null {
      const known = addresses.get(fileId)
      return known && isRecent(known) && typeof known.url === 'string' ? known.url : null
    },
  }
}
