import { expect, test } from 'vitest'
import { brokenFiles } from './broken-destinations-files.ts'
import { checkHarbour, namesOf } from './check-harbour.ts'

const user = 'a user who is not known is refused as unknown_user'
const uploader = 'an uploader who is not known is refused as unknown_user'
const noFile = 'fields that follow no file are refused as unknown_file'
const following = 'the fields that follow a file update it, and leave what came with its bytes'
const sentAgain = 'a file that is sent again has none of the fields that followed it'
const wholeFile = 'every field of attachments (helpdesk) comes back as it was sent'
const wholePicture = 'every field of media (blog) comes back as it was sent'
const wholeTicket = 'every field of tickets (helpdesk) comes back as it was sent'
const times = 'times of a file are kept'
const lateFiles = 'a file with an older or the same revision is ignored, also after its delete'
const noFiles = 'a file for an entity that takes none is answered with 404 or 422'
const onlyFields = 'find answers the fields of describe, and those that were not sent are empty'
const noRecords = 'a request with no records is answered with none'
const exactly = 'find answers those that exist in the entity, and no others'
const required = 'describe lists entities of its families, each with the fields that it cannot do without'

test.each<[keyof typeof brokenFiles, 'helpdesk' | 'blog', string[]]>([
  ['takesUnknownUsers', 'helpdesk', [user, uploader]],
  ['losesPrivacy', 'helpdesk', [wholeFile]],
  ['losesTimesOfFiles', 'helpdesk', [times]],
  ['takesFilesForAnything', 'helpdesk', [noFiles]],
  ['makesFilesOfRecords', 'blog', [noFile]],
  ['forgetsFollowingFields', 'blog', [wholePicture, following, lateFiles]],
  ['keepsFollowingFields', 'blog', [sentAgain]],
  ['emptiesTheRestOfFiles', 'blog', [following]],
  ['answersMoreFields', 'helpdesk', [onlyFields]],
  ['fillsDefaults', 'helpdesk', [onlyFields]],
  ['failsOnNoRecords', 'helpdesk', [noRecords]],
  ['findsTwice', 'helpdesk', [exactly]],
  ['describesTooLittle', 'helpdesk', [required]],
])('%s fails the checks for it (%s)', async (name, family, expected) => {
  const { results, sum } = await checkHarbour({ families: [family], maxFileBytes: 1024 * 1024 }, brokenFiles[name]())
  expect(namesOf(results, 'FAIL')).toEqual(expected)
  expect(sum.failed).toBe(expected.length)
})

test('sortsLists fails in every check with a list', async () => {
  const { results } = await checkHarbour(
    { families: ['helpdesk'], maxFileBytes: 1024 * 1024 },
    brokenFiles.sortsLists(),
  )
  expect(namesOf(results, 'FAIL')).toContain(wholeTicket)
})
