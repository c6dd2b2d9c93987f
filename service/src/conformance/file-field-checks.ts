import { createHash } from 'node:crypto'
import { followsAsRecord } from '../connectors/open/file-fields.ts'
import type { Bench, Check } from './check.ts'
import { expectFields, expectSame, expectThat, SkippedError } from './expectations.ts'
import { sendAndFind, shortFile } from './file-checks.ts'
import type { Offer } from './offers.ts'
import { findOne, writeOne } from './writing-checks.ts'

const hasFollowing = ({ fields }: Offer) => Object.keys(fields).some(followsAsRecord)
const times = { created_at: '1999-12-31T23:59:59.000Z', updated_at: '2004-02-29T12:00:00.000Z' }

/** Checks of the fields of files. */
export const fileFieldChecks: Check[] = [
  {
    name: 'the fields that follow a file update it, and leave what came with its bytes',
    async run(bench) {
      const { offer, file, proof, following } = await withFollowing(bench)
      const { id, version } = await sendAndFind(bench, file)
      const record = { external_id: file.external_id, fields: following }
      const second = await writeOne(bench, offer, record, 'updated')
      expectSame('the same id', id, second.id)
      expectThat(second.version !== version, 'another version after the fields followed', second.version)
      const found = await findFile(bench, offer, file.external_id)
      expectSame('version', second.version, found.version)
      expectFields({ file_name: file.file_name, ...proof, ...following }, found.fields)
      await writeOne(bench, offer, { ...record, fields: {} }, 'updated')
      const emptied = await findFile(bench, offer, file.external_id)
      expectFields({ file_name: file.file_name, ...proof }, emptied.fields, Object.keys(following))
    },
  },
  {
    name: 'a file that is sent again has none of the fields that followed it',
    async run(bench) {
      const { offer, file, following } = await withFollowing(bench)
      await sendAndFind(bench, file)
      await writeOne(bench, offer, { external_id: file.external_id, fields: following }, 'updated')
      await sendAndFind(bench, file, 'updated')
      expectFields({}, (await findOne(bench, offer, file.external_id)).fields, Object.keys(following))
    },
  },
  {
    name: 'fields that follow no file are refused as unknown_file',
    async run(bench) {
      const { offer, file, following } = await withFollowing(bench)
      const record = { external_id: file.external_id, fields: following }
      const [result] = await bench.client.write(offer.entity, [record])
      expectThat(result?.result === 'refused', `${offer.entity} without a file to be refused`, result)
      expectSame('the code', 'unknown_file', result.code)
      expectSame('files found', [], await bench.client.find(offer.entity, [file.external_id]))
    },
  },
  {
    name: 'an uploader who is not known is refused as unknown_user',
    async run(bench) {
      const { client, specimens } = bench
      const offer = specimens.chooseFiles('uploaded_by', ({ fields }) => fields.uploaded_by !== undefined)
      const file = await specimens.file(offer, shortFile)
      const more = { ...file.more, uploaded_by: `${specimens.prefix}-nobody` }
      const answer = await client.putFile({ ...file, more })
      expectThat(answer.result === 'refused', 'a file of an unknown uploader to be refused', answer)
      expectSame('the code', 'unknown_user', answer.code)
      expectSame('files found', [], await client.find(offer.entity, [file.external_id]))
    },
  },
  {
    name: 'times of a file are kept',
    async run(bench) {
      if (!bench.description.capabilities.backdate) throw new SkippedError('capabilities.backdate is false')
      const { specimens } = bench
      const offer = specimens.chooseFiles('any field', () => true)
      const file = await specimens.file(offer, shortFile)
      await sendAndFind(bench, { ...file, more: { ...file.more, ...times } })
      const { created_at, updated_at } = await findOne(bench, offer, file.external_id)
      expectFields(times, { created_at, updated_at })
    },
  },
  {
    name: 'a file for an entity that takes none is answered with 404 or 422',
    async run(bench) {
      const { client, specimens } = bench
      const file = await specimens.file(
        specimens.chooseFiles('any field', () => true),
        shortFile,
      )
      expectSame(
        'status for no_such_entity to be',
        404,
        await client.statusOfFile({ ...file, entity: 'no_such_entity' }),
      )
      const { entity } = specimens.choose('any field', () => true)
      expectSame(`status for ${entity} to be`, 422, await client.statusOfFile({ ...file, entity }))
    },
  },
]

/** Sends a file with a value in every field, and checks what comes back. */
export async function sendWholeFile(bench: Bench, offer: Offer): Promise<void> {
  const { specimens } = bench
  const file = await specimens.file(offer, shortFile)
  const isListed = (name: string) => offer.fields[name] !== undefined
  const uploader = await specimens.sampleOf(offer, 'uploaded_by')
  const said = {
    ...(isListed('is_inline') && { is_inline: true }),
    ...(isListed('is_private') && { is_private: true }),
    ...(typeof uploader === 'string' && { uploaded_by: uploader }),
  }
  const more = {
    ...file.more,
    ...(isListed('is_inline') && { inline: 'true' }),
    ...(isListed('is_private') && { private: 'true' }),
    ...(typeof uploader === 'string' && { uploaded_by: uploader }),
  }
  const contentType = 'text/plain; charset=utf-8'
  await sendAndFind(bench, { ...file, more, contentType })
  const following = await specimens.following(offer)
  if (Object.keys(following).length > 0) {
    await writeOne(bench, offer, { external_id: file.external_id, fields: following }, 'updated')
  }
  const { fields } = await findOne(bench, offer, file.external_id)
  expectFields({ ...said, ...following, content_type: contentType }, fields)
}

/** Finds a file. Converts its digest to lower case, because destinations may use capitals. */
async function findFile(bench: Bench, offer: Offer, key: string) {
  const found = await findOne(bench, offer, key)
  return { ...found, fields: { ...found.fields, sha256: String(found.fields.sha256).toLowerCase() } }
}

/** A file of an entity with further fields, which are sent after `PUT /files`. */
async function withFollowing({ specimens }: Bench) {
  const offer = specimens.chooseFiles('fields that follow', hasFollowing)
  const file = await specimens.file(offer, shortFile)
  const proof = { size: shortFile.length, sha256: createHash('sha256').update(shortFile).digest('hex') }
  return { offer, file, proof, following: await specimens.following(offer) }
}
