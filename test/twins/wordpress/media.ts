import type { TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { others, shapes } from './operations.ts'
import { gone, isForced, type Site, secondOf, sendList, sendOne, type Writing, wpError } from './site.ts'
import { fileNameOf, rendered, slugOf } from './texts.ts'
import { blankWriting, dropWriting, findWriting, linkOf, uniqueSlug, writingsIn } from './writings.ts'

const types: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  csv: 'text/csv',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  zip: 'application/zip',
}
/** Wider pictures are scaled down, and the original is kept. */
const widest = 2560
const pngSize = (bytes: Buffer) =>
  bytes.subarray(1, 4).toString() === 'PNG' ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null
const bare = (path: string) => path.replace(/\.[^.]*$/, '')
const ending = (path: string) => path.slice(bare(path).length)

export function mediaOperations(site: Site): Operation[] {
  const urlOf = (path: string) => `${site.origin}/wp-content/uploads/${path}`
  const present = (one: Writing) => {
    const { path = '', mime = '', bytes, width = 0, height = 0, alt = '' } = one.file ?? {}
    const isWide = width > widest
    const shown = isWide ? `${bare(path)}-scaled${ending(path)}` : path
    const nameOf = (whole: string) => whole.slice(whole.lastIndexOf('/') + 1)
    const small = `${bare(path)}-300x${Math.max(1, Math.round((300 * height) / (width || 1)))}${ending(path)}`
    const medium = { file: nameOf(small), width: 300, mime_type: mime, source_url: urlOf(small) }
    const full = { file: nameOf(shown), width, height, mime_type: mime, source_url: urlOf(shown) }
    const details = {
      ...(width > 0 && { width, height, file: shown }),
      filesize: bytes?.length ?? 0,
      sizes: width > 0 ? { ...(width > 300 && { medium }), full } : {},
      ...(isWide && { original_image: nameOf(path) }),
    }
    return {
      id: Number(one.id),
      date_gmt: one.date,
      modified_gmt: one.modified,
      slug: one.slug,
      status: one.status,
      type: 'attachment',
      link: linkOf(site, one),
      title: { raw: one.title, rendered: one.title },
      author: one.author,
      description: { raw: one.content },
      caption: { raw: one.excerpt, rendered: rendered(one.excerpt) || (width > 0 ? '' : `<p>${one.title}</p>\n`) },
      alt_text: alt,
      media_type: width > 0 ? 'image' : 'file',
      mime_type: mime,
      media_details: details,
      post: one.parent || null,
      source_url: urlOf(shown),
    }
  }
  /** The texts about a file, from a form or from JSON. */
  const describe = (known: Writing, said: Record<string, unknown>): Writing => {
    const text = (name: string, otherwise: string) => (said[name] === undefined ? otherwise : String(said[name]))
    const slug = said.slug === undefined ? known.slug : slugOf(String(said.slug))
    return {
      ...known,
      title: text('title', known.title),
      excerpt: text('caption', known.excerpt),
      content: text('description', known.content),
      author: Number(said.author ?? known.author),
      date: text('date_gmt', known.date).replace(/Z$/, ''),
      slug: uniqueSlug(site, known, slug),
      file: known.file && { ...known.file, alt: text('alt_text', known.file.alt) },
    }
  }
  const upload = ({ form, files }: TwinRequest): Writing => {
    const file = form?.get('file')
    if (!form || !(file instanceof File)) return wpError(400, 'rest_upload_no_data', 'No data supplied.')
    const name = fileNameOf(file.name)
    const mime = types[ending(name).slice(1).toLowerCase()]
    const bytes = files.get('file') ?? Buffer.alloc(0)
    const why = 'rest_upload_unknown_error'
    if (bytes.length === 0) wpError(500, why, 'File is empty. Please upload something more substantial.')
    if (mime === undefined) return wpError(500, why, 'Sorry, you are not allowed to upload this file type.')
    // The first bytes of a file must match the extension of its name.
    const size = pngSize(bytes)
    const isSo = mime === 'image/png' ? size : mime !== 'application/pdf' || bytes.subarray(0, 4).toString() === '%PDF'
    if (!isSo) wpError(500, why, 'Sorry, you are not allowed to upload this file type.')
    const month = secondOf(site.clock.now()).slice(0, 7).replace('-', '/')
    const taken = new Set(site.writings.list(({ file: kept }) => kept !== null).map(({ file: kept }) => kept?.path))
    let path = `${month}/${name}`
    for (let number = 1; taken.has(path); number += 1) path = `${month}/${bare(name)}-${number}${ending(name)}`
    const said = Object.fromEntries([...form].filter(([part]) => part !== 'file'))
    const blank = { ...blankWriting(site, 'attachment'), id: site.writings.nextId() }
    const stored = { path, mime, bytes, width: size?.width ?? 0, height: size?.height ?? 0, alt: '' }
    const made = describe({ ...blank, title: bare(name), slug: slugOf(bare(name)), file: stored }, said)
    return { ...made, modified: made.date }
  }
  return [
    {
      ...shapes.media.list,
      act: (request) =>
        sendList(request, writingsIn(site, 'attachment', request), { idOf: ({ id }) => Number(id), present }),
    },
    {
      ...shapes.media.get,
      act: (request) => sendOne(request, present(findWriting(site, 'attachment', request.params.id))),
    },
    { ...others.upload, act: (request) => sendOne(request, present(site.writings.put(upload(request))), 201) },
    {
      ...shapes.media.change,
      act: (request) => {
        const changed = describe(findWriting(site, 'attachment', request.params.id), request.json)
        return sendOne(request, present(site.writings.put({ ...changed, modified: secondOf(site.clock.now()) })))
      },
    },
    {
      ...shapes.media.remove,
      act: (request) => {
        const known = findWriting(site, 'attachment', request.params.id)
        if (!isForced(request)) wpError(501, 'rest_trash_not_supported', 'The post does not support trashing.')
        dropWriting(site, known)
        return sendOne(request, gone(present(known)))
      },
    },
    {
      ...others.file,
      act: ({ params: { year, month, name = '' } }) => {
        const path = `${year}/${month}/${name}`
        const isIt = ({ file }: Writing) =>
          file !== null && (file.path === path || bare(path).replace(/-(scaled|300x\d+)$/, '') === bare(file.path))
        const found = site.writings.list(isIt)[0]?.file
        if (!found) return { status: 404, body: 'Not found' }
        return { status: 200, headers: { 'content-type': found.mime }, body: found.bytes }
      },
    },
  ]
}
