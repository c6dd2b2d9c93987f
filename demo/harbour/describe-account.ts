import type { Carries, EntityRules, Family } from './entities.ts'
import { isFileEntity } from './files.ts'
import { MAX_BATCH, MAX_PARTS } from './request-schemas.ts'

/** The answer to `GET /describe`. */
export function describeAccount(account: {
  id: string
  accountName: string
  families: readonly Family[]
  entities: Readonly<Record<string, EntityRules>>
  carries: Carries
  maxFileBytes: number
}) {
  const entities = Object.entries(account.entities).map(([name, rules]) => {
    const fields = Object.entries(rules).map(([field, { type, required, many, maxLength, options }]) => [
      field,
      {
        type,
        ...(required && { required }),
        ...(many && { many }),
        ...(maxLength !== null && { max_length: maxLength }),
        ...(options.length > 0 && { options }),
      },
    ])
    // Files cannot have custom fields.
    const parts = account.carries[name]?.map((part) => [part, MAX_PARTS])
    return [
      name,
      {
        fields: Object.fromEntries(fields),
        custom_fields: isFileEntity(name) ? [] : 'any',
        ...(parts && { carries: Object.fromEntries(parts) }),
      },
    ]
  })
  return {
    protocol: 1,
    account: { name: account.accountName, id: account.id },
    families: account.families,
    text_format: 'html',
    limits: { batch: MAX_BATCH, concurrency: 8, file_bytes: account.maxFileBytes },
    capabilities: { silent: true, backdate: true, revisions: true, conditional: true },
    entities: Object.fromEntries(entities),
  }
}
