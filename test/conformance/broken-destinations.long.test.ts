import { describe, expect, test } from 'vitest'
import { broken } from './broken-destinations.ts'
import { checkHarbour, namesOf } from './check-harbour.ts'

const again = 'the same record again is an update, not a second record'
const once = '20 identical requests at once make one record'
const emptied = 'an update changes fields, and empties those that are missing or null'
const created = 'a new record is created, and found as it was sent'
const exactly = 'find answers those that exist in the entity, and no others'
const batch = 'a refused record changes nothing, and the others of its batch are written'
const relation = 'a relation to an external id that is not known is refused as unknown_relation'
const version = 'the version stays while nothing changes, and changes with the record'
const otherVersion = 'delete with another version answers changed, and the record stays'
const fileDelete = 'files are deleted as records are'
const fullBatch = 'a full batch is written, found and deleted'
const token = 'a wrong token is answered with 401 or 403'
const badJson = 'a request that breaks the protocol is answered with 4xx'
const entity = 'an entity that does not exist is answered with 404'
const halfFile = 'an upload that breaks off leaves nothing'
const wholeFile = 'a file of 1 MB arrives whole, and is found with its size and sha256'
const shape = 'describe has the shape and the limits of the protocol'
const longText = 'comes back unchanged: a text of 64 KB'
const emoji = 'comes back unchanged: emoji and characters beyond the basic plane'
const markup = 'comes back unchanged: text that looks like markup'
const spaces = 'comes back unchanged: spaces and line ends at both ends'

describe('a destination that is broken in one way fails the checks for it', { timeout: 900_000 }, () => {
  const options = { families: ['helpdesk'], maxFileBytes: 2 * 1024 * 1024 } as const

  test.each<[keyof typeof broken, string[]]>([
    // A destination that keeps old values also hides a missing required field, and every change.
    ['forgetsEmptiedFields', [emptied, batch, version]],
    ['refusesWholeBatches', [batch]],
    ['takesUnknownRelations', [relation]],
    ['deletesWhateverTheVersion', [otherVersion, fileDelete]],
    ['cutsLongTexts', [longText]],
    ['losesEmoji', [emoji]],
    ['cleansMarkup', [markup]],
    ['trims', [spaces]],
    ['takesAnyToken', [token]],
    ['failsOnBadJson', [badJson]],
    ['knowsEveryEntity', [entity]],
    ['keepsHalfFiles', [halfFile]],
    ['describesNoLimits', [shape]],
  ])('%s', async (name, expected) => {
    const { results, sum } = await checkHarbour(options, broken[name]())
    expect(namesOf(results, 'FAIL')).toEqual(expected)
    expect(sum.failed).toBe(expected.length)
  })

  test.each<[keyof typeof broken, string[]]>([
    ['doublesOnRetry', [again, once]],
    ['findsInAnotherShape', [created, exactly]],
    ['findsNothing', [created, exactly]],
    ['hasOneVersionForAll', [version]],
    ['answersInAnotherOrder', [batch, fullBatch]],
    ['losesTheLastByte', [wholeFile]],
  ])('%s, among others', async (name, expected) => {
    const { results } = await checkHarbour(options, broken[name]())
    expect(namesOf(results, 'FAIL')).toEqual(expect.arrayContaining(expected))
    for (const { outcome, detail } of results) {
      if (outcome === 'FAIL') expect(detail).toMatch(/expected .*, saw /)
    }
  })
})
