import type {
  FoundRecord,
  Inside,
  OutgoingFile,
  SentRelation,
  SoughtRecord,
  StoredContent,
  WriteOutcome,
} from '../contract/contract.ts'
import { safeFileName } from './files.ts'
import type { RawRecord } from './lens.ts'
import type { WrittenEntity } from './open-writer.ts'
import { sideBySide } from './side-by-side.ts'

/** The compared content of a part that keeps neither times nor custom fields. */
export const storedPart = (fields: StoredContent['fields']): StoredContent => ({
  ...{ fields, customFields: {}, createdAt: null, updatedAt: null },
})

/** Such a part as a search finds it. It has no version, because an undo removes it with its record. */
export const foundPart = (
  key: string,
  destinationId: unknown,
  fields: StoredContent['fields'],
  more: Partial<FoundRecord> = {},
): FoundRecord => ({
  ...{ ...storedPart(fields), key, destinationId: String(destinationId), url: null, version: null },
  ...more,
})

/** A file as a search finds it. `parent` is compared. */
export const foundFile = (
  key: string,
  destinationId: unknown,
  { parent, name, size, url = null }: { parent: unknown; name: unknown; size: unknown; url?: string | null },
): FoundRecord =>
  foundPart(
    key,
    destinationId,
    { parent, file_name: safeFileName(name) },
    { url, ...(typeof size === 'number' && { fileSize: size }) },
  )

// Parts of records, such as comments and files of tickets. A part's id begins with the id of its record: `12-34`. Ids
// of article files also have the prefix `a`.

/** The messages of a ticket with their `files`, the oldest first. One of them is the description. */
export const insideOf = (messages: readonly RawRecord[], lookOf?: (message: RawRecord) => string): Inside => ({
  ids: messages.map(({ id, files }) => [String(id), ...((files ?? []) as RawRecord[]).map((file) => String(file.id))]),
  own: Math.min(1, messages.length),
  ...(lookOf && { looks: messages.map(lookOf) }),
})

/** Id of the record that a part belongs to. */
const holderOf = ({ destinationId, parent }: SoughtRecord): string =>
  (destinationId ?? parent?.destinationId ?? '').split('-')[0] ?? ''

/**
 * Finds parts by the records that they belong to, several records at once. Ids that do not match `idShape` are not
 * requested.
 */
export async function findParts(
  sought: readonly SoughtRecord[],
  atOnce: number,
  find: (holderId: string, some: readonly SoughtRecord[]) => Promise<FoundRecord[]>,
  idShape = /^\d+$/,
): Promise<FoundRecord[]> {
  const groups = [...Map.groupBy(sought, holderOf)].filter(([id]) => idShape.test(id))
  return (await sideBySide(groups, atOnce, ([id, some]) => find(id, some))).flat()
}

interface Files {
  writeFile(file: OutgoingFile): Promise<WriteOutcome>
  find(sought: SoughtRecord[]): Promise<FoundRecord[]>
}

const isOfArticle = ({ destinationId, parent }: Pick<SoughtRecord, 'destinationId' | 'parent'>): boolean =>
  destinationId?.startsWith('a') ?? parent?.entity === 'articles'

/** Combines two ways to store files, for a tool that stores files of articles differently from all other files. */
export const filesOf = (
  articles: Files | null,
  others: Files,
): Required<Pick<WrittenEntity, 'writeFile' | 'find'>> => ({
  writeFile(file) {
    const isArticle = (file.fields.parent as SentRelation | undefined)?.entity === 'articles'
    return articles && isArticle ? articles.writeFile(file) : others.writeFile(file)
  },
  async find(sought) {
    const found = await others.find(sought.filter((one) => !isOfArticle(one)))
    return articles ? [...found, ...(await articles.find(sought.filter(isOfArticle)))] : found
  },
})
