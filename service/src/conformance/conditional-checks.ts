import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Bench, Check } from './check.ts'
import { expectFields, expectSame, expectThat, SkippedError } from './expectations.ts'
import { type Offer, optionalField } from './offers.ts'
import type { SentRecord } from './protocol-client.ts'
import { findOne, textTypes, writeOne } from './writing-checks.ts'

const atOnce = 20

/** Checks that changes by people during a write are kept. Only for destinations that declare conditional writes. */
export const conditionalChecks: Check[] = [
  {
    name: 'a record with another version changes nothing, and the others of its batch are written',
    async run(bench) {
      const { offer, worded } = await wordedText(bench)
      const first = await writeOne(bench, offer, worded('First'), 'created')
      const edited = await writeOne(bench, offer, worded('Edited'), 'updated')
      for (const version of [first.version, `${edited.version}x`]) {
        const other = await bench.specimens.small(offer)
        const results = await bench.client.write(offer.entity, [{ ...worded('Late'), version }, other])
        expectResult('changed', results[0], 'a record with another version')
        expectSame('result of the other record', 'created', results[1]?.result)
        const found = await findOne(bench, offer, worded('').external_id)
        expectFields(worded('Edited').fields, found.fields)
        expectSame('version', edited.version, found.version)
      }
    },
  },
  {
    name: 'a record with its version is written, and has another version then',
    async run(bench) {
      const { offer, worded } = await wordedText(bench)
      let { version } = await writeOne(bench, offer, worded('First'), 'created')
      for (const text of ['Second', 'Third']) {
        const result = await writeOne(bench, offer, { ...worded(text), version }, 'updated')
        expectThat(result.version !== version, 'another version after a change', result.version)
        expectFields(worded(text).fields, (await findOne(bench, offer, worded('').external_id)).fields)
        version = result.version
      }
    },
  },
  {
    name: 'a record with a version that is not there is not created',
    async run(bench) {
      const { offer, worded } = await wordedText(bench)
      const { external_id } = worded('')
      const expectMissing = async (version: string, when: string) => {
        const [result] = await bench.client.write(offer.entity, [{ ...worded('Late'), version }])
        expectResult('missing', result, `a record with a version, ${when},`)
        expectSame('records found', [], await bench.client.find(offer.entity, [external_id]))
      }
      await expectMissing('1', 'which was never there')
      const { version } = await writeOne(bench, offer, worded('First'), 'created')
      await bench.client.remove(offer.entity, [{ external_id }])
      await expectMissing(version, 'which was deleted')
    },
  },
  {
    name: 'a record without a version is written in any case',
    async run(bench) {
      const { offer, worded } = await wordedText(bench)
      await writeOne(bench, offer, worded('First'), 'created')
      await writeOne(bench, offer, worded('Second'), 'updated')
      expectFields(worded('Second').fields, (await findOne(bench, offer, worded('').external_id)).fields)
    },
  },
  {
    name: `of ${atOnce} writes with the same version at once one is executed`,
    async run(bench) {
      const { offer, worded } = await wordedText(bench)
      const { version } = await writeOne(bench, offer, worded('First'), 'created')
      const texts = Array.from({ length: atOnce }, (_, index) => `Number ${index}`)
      const attempts = texts.map((text) => bench.client.write(offer.entity, [{ ...worded(text), version }]))
      const results = (await Promise.all(attempts)).map(([result]) => result?.result)
      expectSame('results "updated" to be', 1, results.filter((result) => result === 'updated').length)
      expectSame('results "changed" to be', atOnce - 1, results.filter((result) => result === 'changed').length)
      const winner = texts[results.indexOf('updated')] ?? ''
      expectFields(worded(winner).fields, (await findOne(bench, offer, worded('').external_id)).fields)
    },
  },
  {
    name: 'an older revision is outdated with any version, and the revision of a changed record counts',
    async run(bench) {
      const { offer, worded } = await wordedText(bench)
      if (!bench.description.capabilities.revisions) throw new SkippedError('capabilities.revisions is not true')
      const { version } = await writeOne(bench, offer, { ...worded('First'), revision: 2 }, 'created')
      const write = async (revision: number, given: string) =>
        (await bench.client.write(offer.entity, [{ ...worded('Late'), revision, version: given }]))[0]
      for (const given of [version, `${version}x`]) {
        expectResult('outdated', await write(1, given), 'revision 1 after revision 2')
      }
      expectResult('changed', await write(4, `${version}x`), 'a record with another version')
      expectResult('outdated', await write(3, version), 'revision 3 after revision 4')
      expectFields(worded('First').fields, (await findOne(bench, offer, worded('').external_id)).fields)
    },
  },
  {
    name: 'a file with a version is replaced only while it has that version, and never created',
    async run(bench) {
      requireConditional(bench)
      const { client, specimens } = bench
      const offer = specimens.chooseFiles('any field', () => true)
      const file = await specimens.file(offer, Buffer.from('First'))
      const put = (text: string, version?: string) => {
        const bytes = Buffer.from(text)
        const open = () => Readable.from([bytes], { objectMode: false })
        return client.putFile({
          ...file,
          size: bytes.length,
          open,
          more: { ...file.more, ...(version && { version }) },
        })
      }
      expectResult('missing', await put('Late', '1'), 'a file with a version that was never there')
      expectSame('files found', [], await client.find(file.entity, [file.external_id]))
      const first = await put('First')
      expectThat(first.result === 'created', 'a file without a version to be created', first)
      expectResult('updated', await put('Second', first.version), 'a file with its version')
      expectResult('changed', await put('Late', first.version), 'a file with another version')
      const found = await findOne(bench, offer, file.external_id)
      const sha256 = createHash('sha256').update('Second').digest('hex')
      expectSame('sha256', sha256, String(found.fields.sha256).toLowerCase())
    },
  },
]

function requireConditional({ description }: Bench): void {
  if (!description.capabilities.conditional) throw new SkippedError('capabilities.conditional is not true')
}

/** An offer, and a function that creates a record of it with the given text. */
async function wordedText(bench: Bench): Promise<{ offer: Offer; worded: (text: string) => SentRecord }> {
  requireConditional(bench)
  const offer = bench.specimens.choose('an optional text', (one) => optionalField(one, textTypes, 12) !== undefined)
  const name = optionalField(offer, textTypes, 12) ?? ''
  const { external_id, fields } = await bench.specimens.small(offer)
  return { offer, worded: (text) => ({ external_id, fields: { ...fields, [name]: text } }) }
}

function expectResult(expected: string, result: { result: string } | undefined, what: string): void {
  expectThat(result?.result === expected, `${what} to be answered with ${expected}`, result)
}
