import type { OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { openFreshdeskWriter } from '../../../service/src/connectors/helpdesk/freshdesk/writer.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { saveCategory, saveFolder } from '../../twins/freshdesk/solutions.ts'
import { keepSides } from '../keep-sides.ts'
import { outgoing, related, soughtOf, start } from './start.ts'

export const solutions = '/api/v2/solutions'

/** An account with its knowledge base as a destination. */
export async function openSolutions(cleanup: AsyncDisposableStack, options: Parameters<typeof start>[1] = {}) {
  const { twin, account } = await start(cleanup, options)
  const sides = keepSides()
  const openWriter = () => openFreshdeskWriter({ ...account, sides })
  const writer = openWriter()
  await writer.describe()
  const { categories, folders, articles } = twin.account
  const names = () => [...categories.list(), ...folders.list()].map(({ name }) => name)
  const tidy = async () => {
    const outcomes = []
    for (const side of sides.all())
      outcomes.push(...((await openWriter().removeSides?.([side], { isForced: false })) ?? []))
    return outcomes
  }
  const makeCategory = (name: string) => saveCategory(twin.account, { name })
  const makeFolder = (category: { id: string }, name: string, visibility = 1) =>
    saveFolder(twin.account, { name, visibility, category_id: idOf(category) })
  const folderOf = (title: string) => {
    const [article] = articles.list((one) => one.title === title)
    return folders.get(String(article?.folder_id))
  }
  return {
    twin,
    sides,
    openWriter,
    writer,
    names,
    tidy,
    makeCategory,
    makeFolder,
    folderOf,
    articles,
    folders,
    categories,
  }
}

export const article = (title: string, category?: string, more: object = {}) =>
  outgoing({
    ...{ title, body: `<p>${title}</p>`, status: 'published', visibility: 'public' },
    ...(category !== undefined && { category: related('categories', category) }),
    ...more,
  })
export const idIn = ([outcome]: readonly WriteOutcome[]): string => {
  if (outcome?.result !== 'written') throw new Error(JSON.stringify(outcome))
  return outcome.destinationId
}
export const removable = (record: OutgoingRecord, outcomes: readonly WriteOutcome[]) => ({
  ...soughtOf(record),
  destinationId: idIn(outcomes),
  version: outcomes[0]?.result === 'written' ? outcomes[0].version : null,
})
