import type { SoughtRecord } from '../../contract/contract.ts'
import { toWikiTitle } from './link-references.ts'
import { issues, markers } from './long-texts.ts'
import { hashKey, isMarked } from './markers.ts'
import { numberOf, plainText, textOf, userIdOf } from './native-issue.ts'
import { findWikiPage, splitWikiId, wikiPath } from './read-wiki.ts'
import type { WikiPage } from './schema.ts'
import { searchMarked } from './search-marked.ts'
import { wikiId } from './to-project.ts'
import { markOf } from './write-comments.ts'
import * as write from './writing.ts'
import { authorFor, type EntityWriter, field, type Job, keep, refuse, signText, type Writing } from './writing.ts'

export const placeOf = (destinationId: string): { projectId: number; title: string } => {
  const { projectId, title } = splitWikiId(destinationId)
  return { projectId: Number(projectId), title }
}

const urlOf = ({ api }: Writing, projectId: number, title: string) =>
  `${api.base}/projects/${projectId}/wiki/${encodeURIComponent(title)}`

function toNative(fields: Record<string, unknown>, text = plainText(fields.body)) {
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
  describe: () => ({
    customFields: [],
    fields: {
      project: field('relation', { required: true }),
      title: field('text', { required: true, maxLength: 255 }),
      body: field('rich_text'),
      author: field('user'),
      parent_page: field('relation'),
    },
  }),

  stored: ({ fields }) => toNative(fields),

  async write(job) {
    const { record, locks } = job
    const native = toNative(record.fields, await issues('plainText', record.fields.body))
    const { project, title } = native
    if (project === undefined || !(await locks.openProject(project))) {
      return refuse(job, 'gone', 'The project that it belongs to is no longer in Redmine.')
    }
    if (title === '') return refuse(job, 'invalid', 'Redmine cannot make an address of its title.')
    const place = record.destinationId === null ? { projectId: project, title } : placeOf(record.destinationId)
    // Writing would overwrite an existing page. Two titles of another tool can become the same title in Redmine.
    const before = await findWikiPage(job, place.projectId, place.title)
    if (before && (await markers('readMarked', before.text)).mark?.hash !== hashKey(record.key)) {
      return refuse(job, 'title_taken', `The project has another wiki page with the title "${before.title}".`)
    }
    return sendPage(job, native, place, before)
  },

  async find(writing, records) {
    const pages = []
    for (const record of records) pages.push(...(await findPages(writing, record)))
    return pages
  },

  async remove(call, { key, destinationId, version }) {
    const { projectId, title } = placeOf(destinationId)
    const page = await findWikiPage(call, projectId, title)
    if (!page) return { key, result: 'missing' }
    if ((await markers('readMarked', page.text)).mark?.hash !== hashKey(key))
      return keep(key, 'It is no longer the page that was imported.')
    if (version !== null && (page.title !== title || !(await isSamePage(call, projectId, version, page)))) {
      return keep(key, 'It has been changed since it was imported.')
    }
    const files = (page.attachments ?? []) as { description?: unknown }[]
    if (files.some(({ description }) => !isMarked(String(description ?? '')))) {
      return keep(key, 'Someone has added a file to it since.')
    }
    await call.locks.openProject(projectId)
    // Pages below the removed page stay, without a parent.
    return write.removed(key, await call.api.send('DELETE', `${wikiPath(projectId, title)}?todo=nullify`))
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

async function sendPage(
  job: Job,
  native: ReturnType<typeof toNative>,
  { projectId, title }: { projectId: number; title: string },
  before: WikiPage | null,
) {
  // Redmine shows the last writer, so every write is made in the author's name.
  const author = await authorFor(job, native.author, projectId, ['edit_wiki_pages'])
  const wiki_page = {
    text: await signText(job, native.text, { isAuthorKept: author !== null, personId: native.author }),
    // Without this value, the page keeps its parent.
    ...(native.parent === undefined ? {} : { parent_title: native.parent }),
    ...(before?.version === undefined ? {} : { version: before.version }),
  }
  const sent = await job.api.send('PUT', wikiPath(projectId, title), { wiki_page }, author?.login)
  if (!sent.isTaken) return write.refuseSent(job, sent)
  const page = await findWikiPage(job, projectId, title)
  if (!page) return refuse(job, 'gone', 'It was deleted in Redmine while it was imported.')
  write.noteAuthor(job, native.author, author !== null)
  return write.written(job, wikiId(projectId, page.title), urlOf(job, projectId, page.title), versionOf(page))
}

async function findPages(writing: Writing, { key, destinationId }: SoughtRecord) {
  const places = destinationId === null ? await searchPlaces(writing, key) : [placeOf(destinationId)]
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
    pages.push(write.found(key, id, urlOf(writing, projectId, page.title), versionOf(page), stored))
  }
  return pages
}

async function searchPlaces(writing: Writing, key: string): Promise<{ projectId: number; title: string }[]> {
  const projects = await writing.directory.projects()
  return (await searchMarked(writing, markOf(key), 'wiki_pages')).flatMap((place) => {
    if ('issueId' in place) return []
    const project = projects.find(({ identifier }) => identifier === place.projectIdentifier)
    return project ? [{ projectId: project.id, title: place.title }] : []
  })
}
