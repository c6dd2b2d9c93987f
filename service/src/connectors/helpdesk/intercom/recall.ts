import type { SideRecords } from '../../contract/contract.ts'
import { createInFlight, type Noted } from '../../kit/in-flight.ts'
import { digestOf } from '../../kit/keys.ts'

// Comments, articles and collections have no field for our key, but lists show a new one at once. Before we send a
// record, the ledger notes its look (a digest of its content), and the number of existing records with the same look.
// After a lost answer, the next record with that look, in the order of ids, is ours.

/** Our key with a fixed length, for external ids and for the attribute that holds it. */
export const externalOf = (key: string): string => `wherry_${digestOf(key)}`
/** Whether an external id is one of ours, of this import or another. */
export const isExternal = (id: unknown): boolean => typeof id === 'string' && id.startsWith('wherry_')

/** A record is recognized by the beginning of its words: Intercom may cut a long text. */
export const beginningOf = (words: string | null): string | null => words?.slice(0, 20_000) ?? null

/**
 * After a lost answer the run waits this long before it looks: a request whose connection broke may still be carried out.
 */
export const settleMs = 60_000

export type Recall = ReturnType<typeof openRecall>

export function openRecall(sides: SideRecords | undefined, kind: string) {
  const inFlight = createInFlight(sides)
  return {
    /** Notes the record and sends it. The note stays until the ledger has the outcome for sure. */
    sending<T extends { result: string }>(
      key: string,
      look: string,
      others: readonly string[],
      send: () => Promise<T>,
    ): Promise<T> {
      const before = String(others.filter((one) => one === look).length)
      return inFlight.make(kind, key, { before, digest: look }, send)
    },
    /** The index of each of our records among these looks, by key. */
    async places(keys: readonly string[], looks: readonly string[]): Promise<Map<string, number>> {
      const notes = keys.length === 0 ? new Map<string, Noted>() : await inFlight.noted(kind, keys)
      const found = new Map<string, number>()
      for (const [key, { before, digest }] of notes) {
        const place = looks.flatMap((one, index) => (one === digest ? index : []))[Number(before)]
        if (place !== undefined) found.set(key, place)
      }
      return found
    },
  }
}
