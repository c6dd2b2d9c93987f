import { RefusedError } from '../../kit/outcomes.ts'
import { taken } from './api.ts'
import { toWikiTitle, wikiId } from './link-references.ts'
import { issues, markers } from './long-texts.ts'
import { hashKey, isMarked, markOf } from './markers.ts'
import { numberOf, plainText, textOf, userIdOf } from './native-issue.ts'
import { findWikiPage, splitWikiId, wikiPath } from './read-projects.ts'
import type { WikiPage } from './schema.ts'
import { openProjectOf } from './write-project-lists.ts'
import * as write from './writing.ts'
import { type EntityWriter, type Fields, searchMarked, type WikiPlace, type Writing } from './writing.ts'

export const placeOf = (destinationId: string): WikiPlace => {
  const { projectId, title } = splitWikiId(destinationId)
  return { projectId: Number(projectId), title }
}

const urlOf = ({ api }: Writing, projectId: number, title: string) =>
  `${api.base}/projects/${projectId}/wiki/${encodeURIComponent(title)}`

function toNative(fields: Fields, text = plainText(fields.body)) {
  const parent = (fields.parent_page as { destinationId?: unknown } | undefined)?.destinationId
  return {
    project: numberOf(fields.project),
    title: toWikiTitle(textOf(fields.title)),
    text,
    author: userIdOf(fields.author),
    parent: typeof parent === 'string' ? splitWikiId(parent).title : undefined,
  }
}

export const writeWikiPages: EntityWriter = {
  facts: () => ({ title: { maxLength: 255 } }),

  stored: (fields) => toNative(fields),

  async write(job) {
    const { record } = job
    const native = toNative(record.fields, await issues('plainText', record.fields.body))
    const { title } = native
    const projectId = await openProjectOf(job)
    if (title === '') throw new RefusedError('invalid', 'Redmine cannot make an address of its title.')
    const place = record.destinationId === null ? { projectId, title } : placeOf(record.destinationId)
    // Writing would overwrite an existing page. Two titles of another tool can become the same title in Redmine.
    const before = await findWikiPage(job, place.projectId, place.title)
    if (before && (await markers('readMarked', before.text)).mark?.hash !== hashKey(record.key)) {
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
    taken(await job.api.send('PUT', wikiPath(place.projectId, place.title), { wiki_page }, author?.login))
    const page = await findWikiPage(job, place.projectId, place.title)
    if (!page) throw new RefusedError('gone', 'It was deleted in Redmine while it was imported.')
    write.noteAuthor(job, native.author, author !== null)
    const url = urlOf(job, place.projectId, page.title)
    return write.written(job, wikiId(place.projectId, page.title), url, versionOf(page))
  },

  async find(writing, { key, destinationId }) {
    const places =
      destinationId === null ? (await searchMarked(writing, markOf(key), 'wiki_pages')).pages : [placeOf(destinationId)]
    const pages = []
    for (const { projectId, title } of places) {
      const page = await findWikiPage(writing, projectId, title)
      const { text, mark } = await markers('readMarked', page?.text)
      if (!page || mark?.hash !== hashKey(key)) continue
      const stored = {
        project: projectId,
        title: page.title,
        text,
        author: mark.isAuthorKept ? page.author?.id : undefined,
        parent: page.parent?.title,
      }
      const id = wikiId(projectId, page.title)
      pages.push(write.found(id, urlOf(writing, projectId, page.title), versionOf(page), stored))
    }
    return pages
  },

  async remove(call, { key, destinationId, version }) {
    const { projectId, title } = placeOf(destinationId)
    const page = await findWikiPage(call, projectId, title)
    if (!page) return null
    const { mark } = await markers('readMarked', page.text)
    if (mark?.hash !== hashKey(key)) return 'It is no longer the page that was imported.'
    if (version !== null && (page.title !== title || !(await isSamePage(call, projectId, version, page)))) {
      return 'It has been changed since it was imported.'
    }
    const files = (page.attachments ?? []) as { description?: unknown }[]
    if (files.some(({ description }) => !isMarked(String(description ?? '')))) {
      return 'Someone has added a file to it since.'
    }
    await call.locks.openProject(projectId)
    // Pages below the removed page stay, without a parent.
    return call.api.send('DELETE', `${wikiPath(projectId, title)}?todo=nullify`)
  },
}

/** The page's own version does not cover its parent, so the parent is added. */
const versionOf = ({ version, parent }: WikiPage): string => `${version}|${parent?.title ?? ''}`

/** A page loses its parent when an undo removes it. That is no change by people. */
async function isSamePage(writing: Writing, projectId: number, version: string, page: WikiPage): Promise<boolean> {
  if (version === versionOf(page)) return true
  const parent = version.slice(version.indexOf('|') + 1)
  const isMovedUp = version.startsWith(`${page.version}|`) && page.parent === undefined && parent !== ''
  return isMovedUp && (await findWikiPage(writing, projectId, parent)) === null
}
