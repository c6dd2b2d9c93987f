import type { FernhillApi } from './api.ts'
import type { ListName } from './schema.ts'

const isNumber = (id: string) => /^[1-9]\d{0,14}$/.test(id)

/** Those of the ids that the list shows. The desk hands out whole records, but a hundred of them at once. */
export async function findIds(api: FernhillApi, name: ListName, ids: readonly string[]): Promise<string[]> {
  const numbers = ids.filter(isNumber)
  const found: string[] = []
  let after: string | null = null
  while (numbers.length > 0) {
    const page: Awaited<ReturnType<FernhillApi['list']>> = await api.list(name, { after, ids: numbers })
    found.push(...page.data.map(({ id }) => String(id)))
    if (page.next === null) break
    after = page.next
  }
  return found
}

/** The desk answers 404 for a record that it does not have. */
export async function findGone(api: FernhillApi, name: ListName, ids: readonly string[]): Promise<string[]> {
  const gone: string[] = []
  for (const id of ids.filter(isNumber)) if (await api.isGone(name, id)) gone.push(id)
  return gone
}
