import { glob, readFile } from 'node:fs/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { sentences as de } from '../../web/texts/de/sentences.ts'
import { sentences as es } from '../../web/texts/es/sentences.ts'
import { sentences as fr } from '../../web/texts/fr/sentences.ts'

afterAll(() => vi.unstubAllGlobals())

const holes = (sentence: string) => sentence.split('{}').length - 1

test('every language has the same sentences, and no value that the service does not give', () => {
  for (const other of [es, fr]) expect(Object.keys(other)).toEqual(Object.keys(de))
  for (const catalog of [de, es, fr]) {
    const invented = Object.entries(catalog).filter(([sentence, said]) => holes(said) > holes(sentence))
    expect(invented).toEqual([])
  }
})

test('the service says each of these sentences', async () => {
  const code: string[] = []
  for await (const file of glob('service/src/**/*.ts')) {
    if (!file.endsWith('.test.ts')) code.push((await readFile(file, 'utf8')).replace(/\$\{[^}]*\}/g, '{}'))
  }
  const unsaid = Object.keys(de).filter((sentence) => !code.some((text) => text.includes(sentence)))
  expect(unsaid).toEqual([])
})

test('the name of a file, several sentences and numbers are said as the language writes them', async () => {
  vi.stubGlobal('navigator', { languages: ['de-DE'] })
  const { fetchSentences, translate } = await import('../../web/texts/sentences.ts')
  await fetchSentences()
  const zip = 'The zip has 20,000 entries; at most 2,000 are read. Put fewer files into it, or join those of one kind.'
  const packed = 'Packen Sie weniger Dateien hinein, oder fügen Sie gleichartige zusammen.'
  expect(translate(`x.zip: ${zip}`)).toBe(
    `x.zip: Die Zip-Datei hat 20.000 Einträge; höchstens 2.000 werden gelesen. ${packed}`,
  )
  const wide =
    'a: b.csv: Line 1: the row has more than 10,000 values. Look whether this is the right file. Tables may have up to 500 columns.'
  expect(translate(wide)).toBe(
    'a: b.csv: Zeile 1: Die Zeile hat mehr als 10.000 Werte. Sehen Sie nach, ob es die richtige Datei ist. Tabellen dürfen bis zu 500 Spalten haben.',
  )
  expect(translate('must be one of new, open')).toBe('Möglich sind: new, open.')
  // One unknown sentence leaves all of it in English.
  expect(translate('The zip file is damaged. Ask your grandmother.')).toBeNull()
  expect(translate(`${'a: '.repeat(600)}b`)).toBeNull()
})
