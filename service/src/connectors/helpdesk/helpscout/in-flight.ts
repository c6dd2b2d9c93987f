import type { SideRecords } from '../../contract/contract.ts'
import { digestOf } from '../../kit/keys.ts'
import { RefusedError } from '../../kit/outcomes.ts'

// People, organizations, later comments and files have no place for a key of ours. So what is about to be made is noted
// in our ledger, without its content: where to look for it, and a digest to know it by. A lost answer is settled with that.

export type Kind = 'new_conversations' | 'new_customers' | 'new_organizations' | 'new_threads' | 'new_files'

export interface Noted {
  /** The place to search: whose conversations, since when, behind which thread, behind how many files. */
  before: string
  digest: string
}

/** An outcome is in the ledger long before that: it is committed with its page. */
const keptMs = 60 * 60_000
const swept = 10 * 60_000

export type InFlight = ReturnType<typeof createInFlight>

export function createInFlight(sides: SideRecords | undefined) {
  const sweptAt = new Map<Kind, number>()
  const forget = async (kind: Kind, ...marks: string[]) => {
    if (marks.length > 0) await sides?.forget(...marks.map((mark) => ({ kind, mark })))
  }
  /** Notes that nobody needs any more. */
  const sweep = async (kind: Kind) => {
    if (!sides || Date.now() - (sweptAt.get(kind) ?? 0) < swept) return
    sweptAt.set(kind, Date.now())
    const isOld = (version: string | null) => Date.now() - Number(version?.split(' ')[2]) > keptMs
    const old = (await sides.list(kind)).filter(({ version }) => isOld(version))
    await forget(kind, ...old.map(({ mark }) => mark))
  }
  return {
    async noted(kind: Kind, keys: readonly string[]): Promise<Map<string, Noted>> {
      const all = new Map((await sides?.list(kind))?.map(({ mark, version }) => [mark, version]))
      return new Map(
        keys.flatMap((key) => {
          const [before, digest] = (all.get(digestOf(key)) ?? '').split(' ')
          return before && digest ? [[key, { before, digest }] as const] : []
        }),
      )
    },
    forget: (kind: Kind, key: string) => forget(kind, digestOf(key)),
    /**
     * Writes a note, then creates the record. The note outlives the answer: a worker may be killed before the outcome
     * is in the ledger. The note of a record that was surely not created is deleted at once.
     */
    async make<T extends { result: string }>(
      kind: Kind,
      key: string,
      { before, digest }: Noted,
      act: () => Promise<T>,
    ): Promise<T> {
      await sweep(kind)
      const version = `${before} ${digest} ${Date.now()}`
      await sides?.note({ kind, mark: digestOf(key), destinationId: null, version })
      const outcome = await act().catch(async (error: unknown) => {
        if (error instanceof RefusedError) await forget(kind, digestOf(key))
        throw error
      })
      if (outcome.result !== 'written' && outcome.result !== 'done') await forget(kind, digestOf(key))
      return outcome
    },
  }
}
