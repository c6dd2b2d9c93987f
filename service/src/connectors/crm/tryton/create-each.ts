import type { TrytonApi } from './api.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

export interface Creatable {
  values: Record<string, unknown>
  /** A form that Tryton has less against, tried when it refuses the first. */
  looser?: Record<string, unknown>
}

/**
 * Many at once, but one that Tryton refuses takes none of the others with it: a refused call changes nothing, so it is
 * sent again in halves until the ones that are at fault stand alone.
 */
export async function createEach(
  api: TrytonApi,
  model: string,
  items: readonly Creatable[],
): Promise<(number | TrytonRefusal)[]> {
  if (items.length === 0) return []
  try {
    return await api.create(
      model,
      items.map(({ values }) => values),
    )
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error
    const [only] = items
    if (items.length === 1 && only) return [await createAlone(api, model, only, error)]
  }
  const half = Math.ceil(items.length / 2)
  const first = await createEach(api, model, items.slice(0, half))
  return [...first, ...(await createEach(api, model, items.slice(half)))]
}

async function createAlone(
  api: TrytonApi,
  model: string,
  { values, looser }: Creatable,
  refusal: TrytonRefusal,
): Promise<number | TrytonRefusal> {
  if (refusal.kind === 'too_large') return refusal
  try {
    const [id] = await api.create(model, [refusal.kind === 'refused' ? (looser ?? values) : values])
    return id ?? refusal
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error
    if (error.kind === 'refused') return refusal
    // A fault is the record's own only if Tryton is well otherwise; if it is not, this throws.
    await api.count('party.party', [['id', '=', 0]])
    return error
  }
}
