import type { SideRecords } from '../../contract/contract.ts'
import { digestOf } from '../../kit/keys.ts'

// Comments, articles and collections have no place for a key of ours, but the list that they stand in shows them at once.
// Before one is sent, the ledger notes what it will look like, and how many of that look were there. After a lost answer
// it is the next one of that look, in the order of their ids.

/** Of one length, for external ids, and for the attribute that holds our key. */
export const externalOf = (key: string): string => `wherry_${digestOf(key)}`

export type Recall = ReturnType<typeof openRecall>

export function openRecall(sides: SideRecords | undefined, kind: string) {
  return {
    /** Sends it, and forgets the note once its outcome is known. An error leaves the note. */
    async sending<T>(key: string, look: string, others: readonly string[], send: () => Promise<T>): Promise<T> {
      const mark = externalOf(key)
      const count = others.filter((one) => one === look).length
      await sides?.note({ kind, mark, destinationId: null, version: `${look}#${count}` })
      const sent = await send()
      await sides?.forget({ kind, mark })
      return sent
    },
    /** Positions of our records among these looks, by our keys. */
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
