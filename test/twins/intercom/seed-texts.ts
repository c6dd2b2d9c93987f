import { minuteMs } from '../clock.ts'
import type { Account, Admin, Author, Contact, Part } from './account.ts'

export const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
export const arabic = 'مرحبا، أحتاج إلى مساعدة'

export const authorOf = ({ id, role, name, email }: Contact): Author => ({ type: role, id, name, email })
export const staffOf = ({ id, name, email }: Admin): Author => ({ type: 'admin', id, name, email })

/** Writes seed texts. Each call is a moment later, so that parts have an order. */
export function pen(account: Account) {
  const file = (name: string, contentType: string, bytes: Buffer): string => {
    const id = account.nextId()
    account.files.set(id, { name, contentType, bytes })
    return id
  }
  const part = (id: string, partType: string, author: Author, body: string | null, more: Partial<Part> = {}) => {
    account.clock.advance(minuteMs)
    const createdAt = account.now()
    const none = { fileIds: [], assignedTo: null, isRedacted: false }
    account.partsOf(id).push({ id: account.nextId(), partType, author, body, createdAt, ...none, ...more })
    if (account.conversations.get(id)) account.conversations.change(id, { updatedAt: createdAt })
    if (account.tickets.get(id)) account.tickets.change(id, { updatedAt: createdAt })
  }
  return { file, part }
}
