import type { Leftovers } from '../../contract/contract.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { versionOf } from '../../kit/version.ts'
import type { IntercomApi } from './api.ts'
import { plainKey, wordsOf } from './entities.ts'
import { idOf, listOf } from './look-around.ts'
import { isSaid, partsOf } from './read-parts.ts'
import { beginningOf } from './recall.ts'
import { ticketPath } from './write-tickets.ts'

// Reads a ticket before we add to it: its state, and the look of each part (see recall.ts).

export const saidIn = (raw: RawRecord) =>
  partsOf(raw)
    .filter(isSaid)
    .sort((a, b) => Number(a.id) - Number(b.id))
const fileNames = (part: RawRecord) => listOf(part.attachments).map(({ name }) => String(name ?? ''))
export const lookOf = (part: RawRecord) => {
  const { type, id } = (part.author ?? {}) as Record<string, unknown>
  return versionOf(type === 'admin', String(id), part.part_type === 'note', wholeWords(part.body), fileNames(part))
}
/** The leading dot keeps our origin line, which `wordsOf` and `plainKey` would remove. */
export const wholeWords = (html: unknown) => beginningOf(wordsOf(typeof html === 'string' ? `.${html}` : null))
export const wholePlain = (text: string) => beginningOf(plainKey(`.${text}`))

export type Threads = ReturnType<typeof openThreads>

/** Reads tickets, and restores their states after our additions: a customer's reply reopens a ticket. */
export function openThreads({ api, leftovers }: { api: IntercomApi; leftovers: Leftovers | undefined }) {
  const known = new Map<string, Promise<{ looks: string[]; before: Before | null } | null>>()
  const read = async (ticketId: string) => {
    const raw = ticketId === '' ? null : await api.find(ticketPath(ticketId))
    if (!raw) return null
    const before = closedState(raw)
    if (before) await leftovers?.note(leftoverOf(ticketId, before))
    return { looks: saidIn(raw).map(lookOf), before }
  }
  return {
    of(ticketId: string) {
      const thread = known.get(ticketId) ?? read(ticketId)
      known.set(ticketId, thread)
      return thread
    },
    async putBack() {
      for (const [ticketId, asked] of known) {
        const thread = await asked.catch(() => null)
        if (!thread?.before) continue
        await putBackState(api, ticketId, thread.before)
        await leftovers?.forget(leftoverOf(ticketId, thread.before))
      }
    },
  }
}

interface Before {
  state: string
  open: boolean
}
const leftoverOf = (ticket: string, { state, open }: Before) => ({
  kind: 'ticket_state',
  ticket,
  state,
  open: open ? 1 : 0,
})
const stateOf = (raw: RawRecord) => {
  const { id, category } = (raw.ticket_state ?? {}) as Record<string, unknown>
  return { state: idOf(id) ?? '', open: raw.open !== false, category }
}
function closedState(raw: RawRecord): Before | null {
  const { state, open, category } = stateOf(raw)
  return state !== '' && (!open || category === 'resolved') ? { state, open } : null
}

export async function putBackState({ http, find }: IntercomApi, ticketId: string, before: Before) {
  const raw = await find(ticketPath(ticketId))
  const now = raw && stateOf(raw)
  if (!now || (now.state === before.state && now.open === before.open)) return
  const json = {
    ...(now.state !== before.state && { ticket_state_id: before.state }),
    ...(now.open !== before.open && { open: before.open }),
    skip_notifications: true,
  }
  await http.send('PUT', ticketPath(ticketId), { json })
}
