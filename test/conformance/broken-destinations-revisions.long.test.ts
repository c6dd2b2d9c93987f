import { describe, expect, test } from 'vitest'
import { brokenRevisions } from './broken-destinations-revisions.ts'
import { describeOtherwise } from './change-messages.ts'
import { checkHarbour, namesOf } from './check-harbour.ts'

const older = 'a record with an older revision is ignored, and the others of its batch are not'
const same = 'the same revision again changes nothing, also when the record was changed since'
const highest = 'of 20 revisions at once the highest is what stays'
const broughtBack = 'an older revision does not bring back what was deleted'
const afterDelete = 'a record that arrives after its delete is not created'
const olderDelete = 'a delete with an older revision deletes nothing, and one with the same deletes'
const refused = 'the revision of a refused record counts'
const files = 'a file with an older or the same revision is ignored, also after its delete'
const conditional = 'an older revision is outdated with any version, and the revision of a changed record counts'
const all = [older, same, broughtBack, afterDelete, olderDelete, refused, files, conditional]

describe('a destination that declares revisions and does not keep them fails the checks for them', {
  timeout: 900_000,
}, () => {
  const options = { families: ['blog'], maxFileBytes: 1024 * 1024 } as const

  test.each<[keyof typeof brokenRevisions, string[]]>([
    ['forgetsRevisionsOfFiles', [files]],
    ['deletesWhateverTheRevision', [afterDelete, olderDelete]],
    ['callsOutdatedUpdated', [older, same, broughtBack, afterDelete, refused, conditional]],
    ['takesTheSameRevision', [same, broughtBack, afterDelete]],
    ['forgetsWithTheRecord', [broughtBack, afterDelete]],
    ['forgetsRefusedRevisions', [refused]],
  ])('%s', async (name, expected) => {
    const { results } = await checkHarbour(options, brokenRevisions[name]())
    expect(namesOf(results, 'FAIL')).toEqual(expected)
  })

  test.each<[keyof typeof brokenRevisions, string[]]>([
    ['forgetsRevisions', all],
    ['looksBeforeItWrites', [highest]],
  ])('%s, among others', async (name, expected) => {
    const { results } = await checkHarbour(options, brokenRevisions[name]())
    expect(namesOf(results, 'FAIL')).toEqual(expect.arrayContaining(expected))
    const details = results.filter((result) => result.outcome === 'FAIL').map(({ detail }) => detail)
    for (const detail of details) expect(detail).toMatch(/expected .*, saw /)
    if (name === 'forgetsRevisions') {
      expect(details[0]).toMatch(/^expected revision 4 after revision 7 to be ignored and answered with outdated, saw /)
    }
  })

  test('the same destination passes once it no longer declares them', async () => {
    const isSilent = describeOtherwise(({ capabilities: { revisions: _revisions, ...rest }, ...description }) => ({
      ...description,
      capabilities: rest,
    }))
    const forgets = brokenRevisions.forgetsRevisions()
    const { results, sum } = await checkHarbour(options, (exchange, forward) =>
      exchange.path === '/describe' ? isSilent(exchange, forward) : forgets(exchange, forward),
    )
    expect(sum.failed).toBe(0)
    const skipped = results.filter(({ detail }) => detail === 'capabilities.revisions is not true')
    expect(skipped.map(({ name }) => name)).toEqual([
      older,
      same,
      highest,
      broughtBack,
      afterDelete,
      olderDelete,
      refused,
      files,
      conditional,
    ])
  })
})
