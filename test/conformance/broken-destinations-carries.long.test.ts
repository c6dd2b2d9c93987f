import { describe, expect, test } from 'vitest'
import { brokenCarriers } from './broken-destinations-carries.ts'
import { checkHarbour, namesOf } from './check-harbour.ts'

const inside = (name: string) => `${name} (comments inside tickets, helpdesk)`
const created = inside('a new record is created with what is inside it, and all of it is found')
const again = inside('a record that comes again with what is inside it doubles nothing')
const refused = inside('what is refused inside a record changes nothing, and the record and the others are written')
const most = inside('as many as the account says come inside one record')

describe('a destination that declares `carries` and breaks it fails the checks for it', {
  timeout: 900_000,
}, () => {
  const options = { families: ['helpdesk'], maxFileBytes: 1024 * 1024, carries: true } as const

  test.each<[keyof typeof brokenCarriers, string[]]>([
    ['dropsTheLast', [created, again, refused]],
    ['dropsAllSilently', [created, again, refused, most]],
    ['tellsOfFewer', [created, again, refused, most]],
    ['doublesThem', [again]],
    ['mixesTheirOrder', [created]],
    ['tellsInAnotherOrder', [created, again, refused, most]],
    ['forgetsTheirTimes', [created]],
    ['refusesAllForOne', [refused]],
  ])('%s', async (name, expected) => {
    const { results } = await checkHarbour(options, brokenCarriers[name]())
    expect(namesOf(results, 'FAIL')).toEqual(expected)
    const details = results.filter((result) => result.outcome === 'FAIL').map(({ detail }) => detail)
    for (const detail of details) expect(detail).toMatch(/^expected .*, saw /)
  })
})
