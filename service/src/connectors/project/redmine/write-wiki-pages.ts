import type { SentRelation } from '../../contract/contract.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { movedFrom } from '../../kit/version.ts'
import { done } from './api.ts'
import { toWikiTitle, wikiId } from './link-references.ts'
import { hashKey, isMarked, markers, markOf } from './markers.ts'
import { findWikiPage, splitWikiId, type WikiPlace, wikiPath } from './read-projects.ts'
import { take, type WikiPage } from './schema.ts'
import * as write from './writing.ts'
import { formOf, numberOf, plainText, textOf, userIdOf } from './writing.ts'

/** A page with its text and our mark apart. */
async function readPage(writing: write.Writing, place: WikiPlace) {
  const found = await findWikiPage(writing, place)
  if (!found) return null
  const { text: given, ...page } = found
  return { ...page, projectId: place.projectId, ...(await markers('readMarked', given)) }
}

type Page = NonNullable<Awaited<ReturnType<typeof readPage>>>

const form = formOf<Page>()({
  project: [({ project }) => numberOf(project), ({ projectId }) => projectId],
  title: [({ title }) => toWikiTitle(textOf(title)), ({ title }) => title],
  text: [({ body }) => plainText(body), ({ text }) => text],
  author: [({ author }) => userIdOf(author), ({ author, mark }) => (mark?.isAuthorKept ? author?.id : undefined)],
  parent: [
    ({ parent_page: parent }) => (parent ? splitWikiId((parent as SentRelation).destinationId).title : undefined),
    ({ parent }) => parent?.title,
  ],
})

export const writeWikiPages = write.entityWriter(form, {
  facts: () => ({ title: { maxLength: 255 } }),
  id: ({ projectId, title }) => wikiId(projectId, title),
  url: ({ api }, { projectId, title }) => `${api.base}/projects/${projectId}/wiki/${encodeURIComponent(title)}`,
  version: (_writing, page) => versionOf(page),

  async write(job) {
    const { record, native } = job
    const { title } = native
    const projectId = await write.openProjectOf(job)
    if (title === '') throw new RefusedError('invalid', 'Redmine cannot make an address of its title.')
    const place = record.destinationId === null ? { projectId, title } : splitWikiId(record.destinationId)
    // Writing would overwrite an existing page. Two titles of another tool can become the same title in Redmine.
    const before = await readPage(job, place)
    if (before && before.mark?.hash !== hashKey(record.key)) {
      throw new RefusedError('title_taken', `The project has another wiki page with the title "${before.title}".`)
    }
    // Redmine shows the last writer, so every write is made in the author's name.
    const author = await write.authorFor(job, native.author, place.projectId, ['edit_wiki_pages'])
    const wiki_page = {
      text: await write.signText(job, native.text, { isAuthorKept: author !== null, personId: native.author }),
      // Without this value, the page keeps its parent.
      ...(native.parent === undefined ? {} : { parent_title: native.parent }),
      ...(before?.version === undefined ? {} : { version: before.version }),
    }
    done(await job.api.send('PUT', wikiPath(place), { wiki_page }, author?.login))
    const raw = await readPage(job, place)
    if (!raw) throw new RefusedError('gone', 'It was deleted in Redmine while it was imported.')
    write.noteAuthor(job, native.author, author !== null)
    return { raw }
  },

  async find(writing, { key, destinationId }) {
    const search = async () => (await write.searchMarked(writing, markOf(key), 'wiki_pages')).pages
    const places = destinationId === null ? await search() : [splitWikiId(destinationId)]
    const pages = await sideBySide(places, 1, (place) => readPage(writing, place))
    return pages.filter((page) => page?.mark?.hash === hashKey(key)) as Page[]
  },

  async remove(call, { key, destinationId, version }) {
    const place = splitWikiId(destinationId)
    const page = await readPage(call, place)
    if (!page) return null
    if (page.mark?.hash !== hashKey(key)) return 'It is no longer the page that was imported.'
    if (version !== null && (page.title !== place.title || !(await isSamePage(call, place, version, page)))) {
      return 'It has been changed since it was imported.'
    }
    const files = (page.attachments ?? []).map((file) => take('attachment', file))
    if (files.some(({ description }) => !isMarked(description))) return 'Someone has added a file to it since.'
    await call.locks.openProject(place.projectId)
    // Pages below the removed page stay, without a parent.
    return call.api.send('DELETE', `${wikiPath(place)}?todo=nullify`)
  },
})

/** The page's own version does not cover its parent, so the parent is added. */
const versionOf = ({ version, parent }: Pick<WikiPage, 'version' | 'parent'>): string =>
  `${version}|${parent?.title ?? ''}`

/** A page loses its parent when an undo removes it. That is no change by people. */
async function isSamePage(writing: write.Writing, place: WikiPlace, version: string, page: Omit<WikiPage, 'text'>) {
  if (version === versionOf(page)) return true
  const parent = page.parent === undefined ? movedFrom(version, versionOf(page)) : null
  return parent !== null && (await findWikiPage(writing, { ...place, title: parent })) === null
}
