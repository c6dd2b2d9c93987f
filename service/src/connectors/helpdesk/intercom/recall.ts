import type { SideRecords } from '../../contract/contract.ts'
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

export type Recall = ReturnType<typeof openRecall>

export function openRecall(sides: SideRecords | undefined, kind: string) {
  return {
    /** Notes the record, sends it, and deletes the note once the outcome is known. After an error the note stays. */
    async sending<T>(key: string, look: string, others: readonly string[], send: () => Promise<T>): Promise<T> {
      const mark = externalOf(key)
      const count = others.filter((one) => one === look).length
      await sides?.note({ kind, mark, destinationId: null, version: `${look}#${count}` })
      const sent = await send()
      await sides?.forget({ kind, mark })
      return sent
    },
    /** The index of each of our records among these looks, by key. */
    async places(keys: readonly string[], looks: readonly string[]): Promise<Map<string, number>> {
      const notes = keys.length === 0 ? [] : ((await sides?.list(kind)) ?? [])
      const found = new Map<string, number>()
      for (const key of keys) {
        const [look, count] = notes.find(({ mark }) => mark === externalOf(key))?.version?.split('#') ?? []
        const all = looks.flatMap((one, index) => (one === look ? index : []))
        const place = all[Number(count)]
        if (place !== undefined) found.set(key, place)
      }
      return found
    },
  }
}
