import { describe, expect, test } from 'vitest'
import { brokenConditions } from './broken-destinations-conditional.ts'
import { describeOtherwise } from './change-messages.ts'
import { checkHarbour, namesOf } from './check-harbour.ts'

const another = 'a record with another version changes nothing, and the others of its batch are written'
const right = 'a record with its version is written, and has another version then'
const missing = 'a record with a version that is not there is not created'
const none = 'a record without a version is written in any case'
const once = 'of 20 writes with the same version at once one is executed'
const revisions = 'an older revision is outdated with any version, and the revision of a changed record counts'
const files = 'a file with a version is replaced only while it has that version, and never created'

describe('a destination that declares conditional writes and ignores versions fails the checks for them', {
  timeout: 900_000,
}, () => {
  const options = { families: ['blog'], maxFileBytes: 1024 * 1024 } as const

  test.each<[keyof typeof brokenConditions, string[]]>([
    ['ignoresVersions', [another, missing, once, revisions, files]],
    ['ignoresVersionsOfFiles', [files]],
    ['createsWhatIsMissing', [missing]],
    ['callsChangedUpdated', [another, once, revisions]],
    ['knowsNoVersion', [right, once]],
    ['looksBeforeItWrites', [once]],
    ['forgetsRevisionsOfChanged', [revisions]],
  ])('%s', async (name, expected) => {
    const { results } = await checkHarbour(options, brokenConditions[name]())
    expect(namesOf(results, 'FAIL')).toEqual(expected)
    const details = results.filter((result) => result.outcome === 'FAIL').map(({ detail }) => detail)
    for (const detail of details) expect(detail).toMatch(/^expected .*, saw /)
  })

  test('the same destination passes once it no longer declares them', async () => {
    const isSilent = describeOtherwise(({ capabilities: { conditional: _conditional, ...rest }, ...description }) => ({
      ...description,
      capabilities: rest,
    }))
    const ignores = brokenConditions.ignoresVersions()
    const { results, sum } = await checkHarbour(options, (exchange, forward) =>
      exchange.path === '/describe' ? isSilent(exchange, forward) : ignores(exchange, forward),
    )
    expect(sum.failed).toBe(0)
    const skipped = results.filter(({ detail }) => detail === 'capabilities.conditional is not true')
    expect(skipped.map(({ name }) => name)).toEqual([another, right, missing, none, once, revisions, files])
  })
})
