import type { SideRecords } from '../contract/contract.ts'
import { digestOf } from './keys.ts'
import { RefusedError } from './outcomes.ts'

// Some records of a tool have no field for our key. So before we create one, we note in our ledger where to search for
// it and a digest that identifies it. After a lost answer, the note tells whether the record exists. The note holds no
// content.

export interface Noted {
  /** Where to search, such as a time, or the number of equal records before the request. Without spaces. */
  before: string
  digest: string
}

/** Notes are kept for one hour. The ledger stores an outcome long before, together with its page. */
const keptMs = 60 * 60_000
const swept = 10 * 60_000

const versionOf = ({ before, digest }: Noted) => `${before} ${digest} ${Date.now()}`

export type InFlight = ReturnType<typeof createInFlight>

export function createInFlight(sides: SideRecords | undefined) {
  const sweptAt = new Map<string, number>()
  const forget = async (kind: string, ...marks: string[]) => {
    if (marks.length > 0) await sides?.forget(...marks.map((mark) => ({ kind, mark })))
  }
  /** Deletes old notes. */
  const sweep = async (kind: string) => {
    if (!sides || Date.now() - (sweptAt.get(kind) ?? 0) < swept) return
    sweptAt.set(kind, Date.now())
    const isOld = (version: string | null) => Date.now() - Number(version?.split(' ')[2]) > keptMs
    const old = (await sides.list(kind)).filter(({ version }) => isOld(version))
    await forget(kind, ...old.map(({ mark }) => mark))
  }
  return {
    async noted(kind: string, keys: readonly string[]): Promise<Map<string, Noted>> {
      const found = await sides?.list(
        kind,
        keys.map((key) => digestOf(key)),
      )
      const all = new Map(found?.map(({ mark, version }) => [mark, version]))
      return new Map(
        keys.flatMap((key) => {
          const [before, digest] = (all.get(digestOf(key)) ?? '').split(' ')
          return before && digest ? [[key, { before, digest }] as const] : []
        }),
      )
    },
    forget: (kind: string, key: string) => forget(kind, digestOf(key)),
    /** Adds the record's id to its note, if nothing but its content identifies it. An equal record is another one. */
    claim: async (kind: string, key: string, noted: Noted, destinationId: string) =>
      sides?.note({ kind, mark: digestOf(key), destinationId, version: versionOf(noted) }),
    /** Ids that belong to records with other keys. */
    async claimed(kind: string, keys: readonly string[]): Promise<Set<string>> {
      const own = new Set(keys.map((key) => digestOf(key)))
      const others = ((await sides?.list(kind)) ?? []).filter(({ mark }) => !own.has(mark))
      return new Set(others.flatMap(({ destinationId }) => destinationId ?? []))
    },
    /**
     * Writes a note, then creates the record. The note stays after the answer, because a worker may be killed before
     * the outcome is in the ledger. If the tool refused the record, the note is deleted at once.
     */
    async make<T extends { result: string }>(
      kind: string,
      key: string,
      noted: Noted,
      act: () => Promise<T>,
    ): Promise<T> {
      await sweep(kind)
      await sides?.note({ kind, mark: digestOf(key), destinationId: null, version: versionOf(noted) })
      const outcome = await act().catch(async (error: unknown) => {
        if (error instanceof RefusedError) await forget(kind, digestOf(key))
        throw error
      })
      if (outcome.result !== 'written' && outcome.result !== 'done') await forget(kind, digestOf(key))
      return outcome
    },
  }
}
