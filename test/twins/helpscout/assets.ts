import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import type { Library } from './library.ts'

/** Files for articles. Docs returns the address of a file only in the answer to its upload. */
export function assetOperations({ articles, assets, nextId, fail, found }: Library, key: string): Operation[] {
  return [
    {
      method: 'POST',
      path: '/v1/assets/article',
      form: ['key', 'articleId', 'assetType', 'fileName', 'file'],
      act({ form, files: parts, origin }) {
        if (form?.get('key') !== key) fail(401, 'Invalid API key')
        if (!['image', 'attachment'].includes(String(form?.get('assetType')))) fail(400, 'assetType is not valid')
        const { id: articleId } = found(articles.get(String(form?.get('articleId'))))
        const file = form?.get('file')
        const bytes = parts.get('file') ?? (fail(400, 'file is required') as never)
        const fileName = typeof file === 'object' && file ? file.name : 'file'
        const { id } = assets.put({ id: nextId(), articleId, fileName, bytes })
        const filelink = `${origin}/assets/${id}/${encodeURIComponent(fileName)}`
        return answer(201, { filelink }, { location: filelink })
      },
    },
    {
      // The file is on the host of the public site, readable by anybody.
      method: 'GET',
      path: '/assets/:id/:name',
      act({ params }) {
        const { bytes } = found(assets.get(String(params.id)))
        return {
          status: 200,
          headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes.length) },
          body: bytes,
        }
      },
    },
  ]
}
