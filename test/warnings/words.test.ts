import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { connectors } from '../../service/src/connectors/registry.ts'
import { folderOf } from '../../service/src/connectors/tools-page.ts'
import {
  describeWarning,
  engineWarnings,
  fieldWarnings,
  skippedKinds,
  sourceWarnings,
  textLosses,
  writeLosses,
} from '../../service/src/warnings/codes.ts'
import { warningTables } from '../../service/src/warnings/warnings-page.ts'
import { problemWords, withoutRepeats } from '../../web/portal/records/problem-words.ts'
import { languageCodes, languages } from '../../web/texts/languages.ts'

const keys = (words: object) => Object.keys(words).sort()
const plain = keys({ ...sourceWarnings, ...engineWarnings })

test.each(languageCodes)('every code has its own words in %s, and no words are left without a code', async (code) => {
  const { problems: catalog, skipped } = (await languages[code].later()).laterTexts
  const { kinds } = skipped
  expect(keys(catalog.byCode)).toEqual(plain)
  expect(keys(catalog.ofTexts)).toEqual(keys(textLosses))
  expect(keys(catalog.losses)).toEqual(keys(writeLosses))
  expect(keys(kinds)).toEqual(keys(skippedKinds))
  const said = [
    ...Object.values(kinds).flatMap((words) => [words(1, '1'), words(12, '12')]),
    ...Object.values(catalog.byCode).map(({ what }) => what),
    ...Object.values(catalog.ofTexts),
    ...Object.values(catalog.losses),
  ]
  expect(said.filter((words, index) => said.indexOf(words) !== index)).toEqual([])
  // Only these two placeholders are replaced by names; any other brace would be shown.
  const named = said.join('\n').replaceAll(/\{(source|destination)\}/g, '')
  expect(named.replaceAll('{count}', '')).not.toMatch(/[{}]/)
  for (const words of Object.values(catalog.ofTexts))
    expect(words).toMatch(/^[^|]*\{count\}[^|]*\|[^|]*\{count\}[^|]*$/)
})

test('a partner sees a whole sentence about every code', () => {
  for (const [code, words] of Object.values(warningTables()).flat()) {
    expect(describeWarning(code), code).toBe(words)
    expect(words, code).toMatch(/^[A-Z].+\.$/)
  }
})

test('the page of warnings lists every code with its words', async () => {
  const page = await readFile(new URL('../../docs/warnings.md', import.meta.url), 'utf8')
  const listed = page.split('\n').filter((line) => line.startsWith('| `'))
  expect(listed).toEqual(
    Object.values(warningTables())
      .flat()
      .map(([code, words]) => `| \`${code}\` | ${words} |`),
  )
})

/** The texts of these files, and of the parts of the kit that they use. */
async function readWithKit(urls: URL[]): Promise<string[]> {
  const texts = new Map<string, string>()
  for (const url of urls) {
    const text = await readFile(url, 'utf8')
    texts.set(url.href, text)
    for (const [, path = ''] of text.matchAll(/^import (?!type ).* from '(\..+)'$/gm)) {
      const used = new URL(path, url)
      if (used.pathname.includes('/connectors/kit/') && !texts.has(used.href)) urls.push(used)
    }
  }
  return [...texts.values()]
}

test.each(connectors)(
  '$tool declares exactly the codes that its files use',
  async ({ tool, families, source, destination }) => {
    const folder = new URL(`../../service/src/connectors/${folderOf({ tool, families })}/`, import.meta.url)
    const names = (await readdir(folder)).filter((name) => /^(?!index).+(?<!\.test)\.ts$/.test(name))
    const files = await readWithKit(names.map((name) => new URL(name, folder)))
    const given = (words: object) => keys(words).filter((code) => files.some((file) => file.includes(`'${code}'`)))
    // The kind must be near the word, so that an entity of the same name elsewhere in the file does not count.
    const counting = files.flatMap((file) =>
      [...file.matchAll(/skipped/gi)].map(({ index }) => file.slice(index, index + 1500)),
    )
    const counts = (kind: string) =>
      counting.some((part) => new RegExp(`^ +(async )?${kind}[:(]|[{ ]${kind}: `, 'm').test(part))
    expect([...(source?.warns ?? [])].sort()).toEqual(given(sourceWarnings))
    expect([...(source?.skips ?? [])].sort()).toEqual(keys(skippedKinds).filter((kind) => counts(kind)))
    expect([...(destination?.loses ?? [])].sort()).toEqual(given(writeLosses))
  },
)

test('every code of a tool is used by a tool', () => {
  const declared = (lists: (readonly string[] | undefined)[]) =>
    [...new Set(lists.flatMap((list) => list ?? []))].sort()
  expect(declared(connectors.map(({ source }) => source?.warns))).toEqual(keys(sourceWarnings))
  expect(declared(connectors.map(({ source }) => source?.skips))).toEqual(keys(skippedKinds))
  expect(declared(connectors.map(({ destination }) => destination?.loses))).toEqual(keys(writeLosses))
})

test('a field with a colon in its name is named completely', () => {
  expect(fieldWarnings.field_not_taken('a:b')).toBe(describeWarning('field_not_taken:a:b'))
})

test('words about texts contain the number of affected items', () => {
  const names = { source: 'WordPress', destination: 'Ghost' }
  const say = (code: string, count?: number) => problemWords(code, names, code, count).what
  expect(say('text_video_linked', 1)).toBe('1 video is now a link.')
  expect(say('text_video_linked', 2)).toBe('2 videos are now links.')
  expect(say('text_caption_moved*3')).toBe('3 captions are now paragraphs: Ghost has none.')
  expect(withoutRepeats(['refused', 'text_video_linked', 'text_video_linked*2'])).toEqual([
    'refused',
    'text_video_linked*2',
  ])
})
