import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { followsAsRecord } from '../connectors/open/file-fields.ts'
import type { Bench, Check } from './check.ts'
import { expectFields, expectSame, expectThat, SkippedError } from './expectations.ts'
import { type Offer, optionalField, requiredText } from './offers.ts'
import type { SentFile, SentRecord } from './protocol-client.ts'
import { findOne, textTypes, writeOne } from './writing-checks.ts'

const atOnce = 20

/** Checks that a late request does not overwrite newer content. Only for destinations that declare revisions. */
export const revisionChecks: Check[] = [
  {
    name: 'a record with an older revision is ignored, and the others of its batch are not',
    async run(bench) {
      const { offer, revised } = await revisedText(bench)
      await writeOne(bench, offer, revised(5), 'created')
      const newest = await writeOne(bench, offer, revised(7), 'updated')
      for (const revision of [4, 6]) {
        const other = await bench.specimens.small(offer)
        const results = await bench.client.write(offer.entity, [revised(revision), other])
        expectOutdated(results[0], 7, `revision ${revision} after revision 7`)
        expectSame('result of the other record', 'created', results[1]?.result)
        await expectUntouched(bench, offer, revised(7), newest.version)
      }
    },
  },
  {
    name: 'the same revision again changes nothing, also when the record was changed since',
    async run(bench) {
      const { offer, revised } = await revisedText(bench)
      const first = await writeOne(bench, offer, revised(3), 'created')
      const again = async () =>
        expectOutdated((await bench.client.write(offer.entity, [revised(3)]))[0], 3, 'revision 3 after revision 3')
      await again()
      await expectUntouched(bench, offer, revised(3), first.version)
      // Another client would send no revision.
      const { revision: _none, ...edited } = revised(4)
      const second = await writeOne(bench, offer, edited, 'updated')
      await again()
      await expectUntouched(bench, offer, edited, second.version)
    },
  },
  {
    name: `of ${atOnce} revisions at once the highest is what stays`,
    async run(bench) {
      const { offer, revised } = await revisedText(bench)
      // Shuffled: the highest revision is neither sent first nor last.
      const revisions = Array.from({ length: atOnce }, (_, index) => ((index * 7 + 3) % atOnce) + 1)
      await Promise.all(revisions.map((revision) => bench.client.write(offer.entity, [revised(revision)])))
      const { fields } = await findOne(bench, offer, revised(atOnce).external_id)
      expectFields(revised(atOnce).fields, fields)
    },
  },
  {
    name: 'an older revision does not bring back what was deleted',
    async run(bench) {
      for (const isRevisionTold of [true, false]) {
        const { offer, revised } = await revisedText(bench)
        const { external_id } = revised(2)
        await writeOne(bench, offer, revised(2), 'created')
        const deletion = { external_id, ...(isRevisionTold && { revision: 2 }) }
        expectSame('results', ['deleted'], await bench.client.remove(offer.entity, [deletion]))
        for (const revision of [1, 2]) await expectGone(bench, offer, revised(revision), 2)
        await writeOne(bench, offer, revised(3), 'created')
      }
    },
  },
  {
    name: 'a record that arrives after its delete is not created',
    async run(bench) {
      const { offer, revised } = await revisedText(bench)
      const { external_id } = revised(4)
      expectSame('results', ['missing'], await bench.client.remove(offer.entity, [{ external_id, revision: 4 }]))
      await expectGone(bench, offer, revised(4), 4)
      await writeOne(bench, offer, revised(5), 'created')
    },
  },
  {
    name: 'a delete with an older revision deletes nothing, and one with the same deletes',
    async run(bench) {
      const { offer, revised } = await revisedText(bench)
      const { external_id } = revised(5)
      const { version } = await writeOne(bench, offer, revised(5), 'created')
      const remove = (revision: number) => bench.client.remove(offer.entity, [{ external_id, version, revision }])
      expectSame('results', ['changed'], await remove(4))
      await expectUntouched(bench, offer, revised(5), version)
      expectSame('results', ['deleted'], await remove(5))
      expectSame('records found', [], await bench.client.find(offer.entity, [external_id]))
    },
  },
  {
    name: 'the revision of a refused record counts',
    async run(bench) {
      requireRevisions(bench)
      const offer = bench.specimens.choose('a required text', (one) => requiredText(one) !== undefined)
      const whole = { ...(await bench.specimens.small(offer)), revision: 1 }
      const { [requiredText(offer) ?? '']: _left, ...fields } = whole.fields
      const [refused] = await bench.client.write(offer.entity, [{ ...whole, revision: 2, fields }])
      expectSame('result without a required field', 'refused', refused?.result)
      await expectGone(bench, offer, whole, 2)
    },
  },
  {
    name: 'a file with an older or the same revision is ignored, also after its delete',
    async run(bench) {
      requireRevisions(bench)
      const { client, specimens } = bench
      const hasFollowing = specimens.fileOffers.find(({ fields }) => Object.keys(fields).some(followsAsRecord))
      const offer = hasFollowing ?? specimens.chooseFiles('any field', () => true)
      const { external_id, ...file } = await specimens.file(offer, Buffer.from('the newest bytes'))
      const put = (revision: number, one: Omit<SentFile, 'external_id'>) =>
        client.putFile({ ...one, external_id, more: { ...one.more, revision: String(revision) } })
      const first = await put(4, file)
      expectSame('result', 'created', first.result)
      const following = await specimens.following(offer)
      const isFollowed = Object.keys(following).length > 0
      if (isFollowed) await writeOne(bench, offer, { external_id, revision: 5, fields: following }, 'updated')
      const stored = isFollowed ? 5 : 4
      const late = Buffer.from('late bytes')
      const older = { ...file, size: late.length, open: () => Readable.from([late], { objectMode: false }) }
      for (const revision of [2, 4]) {
        expectOutdated(await put(revision, older), stored, `a file of revision ${revision} after revision ${stored}`)
        const found = await findOne(bench, offer, external_id)
        const sha256 = createHash('sha256').update('the newest bytes').digest('hex')
        expectFields({ ...following, sha256 }, { ...found.fields, sha256: String(found.fields.sha256).toLowerCase() })
      }
      expectSame('results', ['deleted'], await client.remove(file.entity, [{ external_id, revision: stored }]))
      expectOutdated(await put(4, older), stored, 'a file of revision 4 after its delete')
      expectSame('files found', [], await client.find(file.entity, [external_id]))
    },
  },
]

function requireRevisions({ description }: Bench): void {
  if (!description.capabilities.revisions) throw new SkippedError('capabilities.revisions is not true')
}

/** An offer, and a function that creates a record with a different text for each revision. */
async function revisedText(bench: Bench): Promise<{ offer: Offer; revised: (revision: number) => SentRecord }> {
  requireRevisions(bench)
  const offer = bench.specimens.choose('an optional text', (one) => optionalField(one, textTypes, 12) !== undefined)
  const name = optionalField(offer, textTypes, 12) ?? ''
  const { external_id, fields } = await bench.specimens.small(offer)
  const revised = (revision: number) => ({
    external_id,
    revision,
    fields: { ...fields, [name]: `Revision ${revision}` },
  })
  return { offer, revised }
}

function expectOutdated(
  result: { result: string; revision?: number } | undefined,
  revision: number,
  what: string,
): void {
  expectThat(result?.result === 'outdated', `${what} to be ignored and answered with outdated`, result)
  expectSame('the revision that is stored', revision, result.revision)
}

async function expectUntouched(bench: Bench, offer: Offer, { external_id, fields }: SentRecord, version: string) {
  const found = await findOne(bench, offer, external_id)
  expectFields(fields, found.fields)
  expectSame('version', version, found.version)
}

async function expectGone({ client }: Bench, { entity }: Offer, record: SentRecord, revision: number): Promise<void> {
  const [result] = await client.write(entity, [record])
  expectOutdated(result, revision, `revision ${record.revision} after revision ${revision}, which is not there,`)
  expectSame('records found', [], await client.find(entity, [record.external_id]))
}
