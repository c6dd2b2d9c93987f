import { posix } from 'node:path'
import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, found, type StoredFile, wrong } from './account.ts'
import { shapes } from './shapes.ts'

const accesses = [
  'PUBLIC_INDEXABLE',
  'PUBLIC_NOT_INDEXABLE',
  'HIDDEN_INDEXABLE',
  'HIDDEN_NOT_INDEXABLE',
  'PRIVATE',
  'HIDDEN_PRIVATE',
]

export function fileOperations(account: Account): Operation[] {
  const { files, folders, nextId, now } = account
  const folderAt = (path: string) => folders.list((one) => one.path === path)[0]
  const present = (file: StoredFile) => ({
    id: file.id,
    createdAt: file.createdAt,
    updatedAt: file.createdAt,
    archived: false,
    parentFolderId: folderAt(file.folder)?.id ?? '1',
    name: file.name,
    path: `${file.folder}/${file.name}${file.extension && '.'}${file.extension}`,
    size: file.bytes.length,
    type: file.contentType.startsWith('image/') ? 'IMG' : 'DOCUMENT',
    extension: file.extension,
    defaultHostingUrl: `https://files.invalid/hubfs/1234567/${file.id}`,
    url: `https://files.invalid/hubfs/1234567/${file.id}`,
    isUsableInContent: !file.access.includes('PRIVATE'),
    access: file.access,
  })
  const find = (id: string | undefined) => found(files.get(String(id)))
  const optionsOf = (text: unknown): { access?: string; overwrite?: boolean } => {
    try {
      return JSON.parse(String(text)) as { access?: string; overwrite?: boolean }
    } catch {
      return wrong('options is not JSON')
    }
  }
  return [
    {
      ...shapes.upload,
      act({ form, files: parts }) {
        const part = form?.get('file')
        if (!part || typeof part === 'string') return wrong('file is required')
        if (!form?.get('folderId') && !form?.get('folderPath'))
          return wrong('Either folderId or folderPath is required')
        const { access, overwrite } = optionsOf(form?.get('options'))
        if (!access || !accesses.includes(access)) return wrong('options.access is required')
        const said = String(form?.get('fileName') ?? part.name)
        // Name and extension are separate fields; the extension is that of the file.
        const [, name = said, extension = ''] = /^(.*)\.([^.]+)$/s.exec(said) ?? []
        const given = String(form?.get('folderPath') ?? '')
        const folder = given.startsWith('/') ? given : `/${given}`
        const names = folder.split('/').slice(1)
        for (const [at] of names.entries()) {
          const path = `/${names.slice(0, at + 1).join('/')}`
          if (!folderAt(path)) folders.put({ id: nextId(), path })
        }
        // The file that is overwritten is deleted, and the new one has an id of its own.
        const isSame = (one: StoredFile) =>
          one.folder === folder && one.name === name && one.extension === extension.toLowerCase()
        if (overwrite) for (const { id } of files.list(isSame)) files.remove(id)
        const file = files.put({
          id: nextId(),
          name,
          extension: extension.toLowerCase(),
          folder,
          access,
          contentType: part.type || 'application/octet-stream',
          bytes: found(parts.get('file')),
          createdAt: now(),
        })
        return answer(201, present(file))
      },
    },
    {
      ...shapes.searchFolders,
      act: ({ query }) => {
        const parents = query.getAll('parentFolderIds')
        const isIn = (path: string) => parents.includes(folderAt(posix.dirname(path))?.id ?? '')
        const found = folders.list(
          ({ path }) => (!query.has('path') || path === query.get('path')) && (parents.length === 0 || isIn(path)),
        )
        const times = { createdAt: now(), updatedAt: now(), archived: false }
        return answer(200, {
          results: found.map(({ id, path }) => ({ id, path, name: path.split('/').at(-1), ...times })),
        })
      },
    },
    {
      // The description does not say what happens to the files in it: here they are lost.
      ...shapes.removeFolder,
      act({ params }) {
        const { path } = found(folders.get(String(params.id)))
        const isInside = (one: string) => one === path || one.startsWith(`${path}/`)
        for (const { id } of files.list(({ folder }) => isInside(folder))) files.remove(id)
        for (const { id } of folders.list((folder) => isInside(folder.path))) folders.remove(id)
        return answer(204)
      },
    },
    {
      ...shapes.searchFiles,
      act: ({ query }) => {
        const asked = query.getAll('parentFolderIds')
        const found = files.list(({ folder }) => asked.includes(folderAt(folder)?.id ?? ''))
        return answer(200, { results: found.map(present) })
      },
    },
    { ...shapes.file, act: ({ params }) => answer(200, present(find(params.id))) },
    {
      ...shapes.changeFile,
      act({ params, json }) {
        const { name } = json as { name?: string }
        return answer(200, present(files.put({ ...find(params.id), ...(name !== undefined && { name }) })))
      },
    },
    {
      ...shapes.removeFile,
      act({ params }) {
        files.remove(find(params.id).id)
        return answer(204)
      },
    },
    {
      ...shapes.signedUrl,
      act({ params, query }, { files: host, clock }) {
        const file = find(params.id)
        const forMs = Number(query.get('expirationSeconds') ?? 3600) * 1000
        const { name, extension } = file
        return answer(200, {
          name,
          extension,
          type: present(file).type,
          size: file.bytes.length,
          // The file store has no authentication: the address alone opens a file.
          url: host.sign(file.bytes, file.contentType, { forMs }),
          expiresAt: new Date(clock.now() + forMs).toISOString(),
        })
      },
    },
  ]
}
