import { expect, test } from 'vitest'
import { families, familyDefinitions } from '../../service/src/families/index.ts'
import { exports } from './csv-exports.ts'

/** Columns that hardly any tool exports. */
const rarelyExported = new Set([
  'comments_enabled',
  'feature_image',
  'followers',
  'depends_on',
  'password',
  'tags',
  'is_archived',
  'language',
])

test.each([...families])('the export of the family %s has a column for every field', (family) => {
  const { expected } = exports[family]
  for (const { name, fields } of familyDefinitions[family].entities) {
    if (['attachments', 'media', 'tags', 'relationships'].includes(name)) continue
    const compared = new Set(Object.values(expected[name] ?? {}).flatMap((one) => Object.keys(one.fields)))
    const missing = Object.keys(fields).filter((field) => !compared.has(field) && !rarelyExported.has(field))
    expect(missing, name).toEqual([])
  }
})
