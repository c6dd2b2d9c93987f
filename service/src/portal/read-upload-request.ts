import { type Static, Type } from 'typebox'
import { Check, Errors } from 'typebox/value'
import type { TableChoice } from '../connectors/contract/upload-contract.ts'
import { RequestError, ValidationError } from '../errors.ts'

const longestName = 255

/** Name and size of a file that is to come. The name is for people, and is never a path. */
export function readUploadRequest(body: unknown): { fileName: string; size: number } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notAnObject()
  const { file_name: name, size } = body as Record<string, unknown>
  const fileName = typeof name === 'string' ? (name.split(/[\\/]/).at(-1) ?? '').trim() : ''
  const problems: [string, string[]][] = []
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  const isOdd = /[\u0000-\u001f\u007f]/.test(fileName) || fileName.length > longestName || !fileName.isWellFormed()
  if (fileName === '') problems.push(['file_name', ["can't be blank"]])
  else if (isOdd)
    problems.push(['file_name', [`must be at most ${longestName} characters, without control characters`]])
  const isSize = typeof size === 'number' && Number.isSafeInteger(size) && size >= 0
  if (!isSize) problems.push(['size', ['must be the number of bytes of the file']])
  if (problems.length > 0 || !isSize) throw new ValidationError(Object.fromEntries(problems))
  return { fileName, size }
}

const tablesSchema = Type.Object({
  tables: Type.Array(
    Type.Object({
      file: Type.String(),
      entity: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      columns: Type.Optional(
        Type.Array(
          Type.Object({
            column: Type.Integer({ minimum: 0 }),
            as: Type.Optional(Type.Enum(['id', 'created_at', 'updated_at', 'currency', 'field', 'custom', 'ignored'])),
            field: Type.Optional(Type.String()),
            by: Type.Optional(Type.Enum(['id', 'email', 'name'])),
            to: Type.Optional(Type.String()),
            text: Type.Optional(Type.Enum(['plain', 'html', 'markdown'])),
            days: Type.Optional(Type.Enum(['dmy', 'mdy', 'ymd'])),
          }),
        ),
      ),
    }),
  ),
})

export function readTableChoices(body: unknown): TableChoice[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notAnObject()
  if (Check(tablesSchema, body)) return (body as Static<typeof tablesSchema>).tables as TableChoice[]
  const [first] = Errors(tablesSchema, body)
  throw new ValidationError({ tables: [`cannot be read: ${first?.instancePath || '/tables'} ${first?.message ?? ''}`] })
}

const notAnObject = () => new RequestError('bad_request', 'The body must be a JSON object.')
