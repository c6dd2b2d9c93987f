import { afterAll, expect, test } from 'vitest'
import { connectors } from '../../service/src/connectors/registry.ts'
import { sentences as de } from '../../web/texts/de/sentences.ts'
import { sentences as es } from '../../web/texts/es/sentences.ts'
import { sentences as fr } from '../../web/texts/fr/sentences.ts'
import { speak } from '../../web/texts/index.ts'
import * as sentences from '../../web/texts/sentences.ts'
import { collectSentences, collectTexts } from './collect-sentences.ts'

// Other files of this process use the same texts, in English.
afterAll(() => speak('en'))

async function speakGerman() {
  await speak('de')
  await sentences.fetchSentences()
  return sentences
}

const holes = (sentence: string) => sentence.split('{}').length - 1
/** The service makes a sentence of some texts when it shows them. */
const plain = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`.replace(/\.$/, '')
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
const caseOf = (text: string) => new RegExp(`^${plain(text).split('{}').map(escaped).join('.*')}$`, 's')

test('every language has the same sentences, and uses no value that the service does not give', () => {
  for (const other of [es, fr]) expect(Object.keys(other)).toEqual(Object.keys(de))
  for (const catalog of [de, es, fr]) {
    const invented = Object.entries(catalog).filter(([sentence, said]) => holes(said) > holes(sentence))
    expect(invented).toEqual([])
  }
})

test('the service uses each of these sentences', async () => {
  const texts = (await collectTexts()).flatMap((text) => [text, ...text.split(/(?<=[.!?]) /)])
  // The message about a failing source page names the tool before this text.
  const found = new Set([...texts, ...texts.map((text) => text.replace(/^a tool /, 'it '))])
  const whole = new Set([...found].map(plain))
  const cases = [...found].filter((text) => text.includes('{}') && text.replaceAll('{}', '').length > 8).map(caseOf)
  const isSaid = (sentence: string) =>
    whole.has(plain(sentence)) ||
    texts.some((text) => text.includes(sentence)) ||
    cases.some((one) => one.test(plain(sentence)))
  expect(Object.keys(de).filter((sentence) => !isSaid(sentence))).toEqual([])
})

test('plan checks, refusals, obstacles and file problems that the service words have words in every language', async () => {
  const { translate } = await speakGerman()
  const said = [...(await collectSentences())]
  // A broken search would find no texts, so it must find many.
  expect(said.length).toBeGreaterThan(250)
  const keys = Object.keys(de).map(plain)
  const isKnown = (text: string) => {
    // An inserted value between two sentences is itself a sentence, and is checked where it is worded.
    const own = text.replaceAll(/(?<=[.!?]) {}(?=$| [A-Z])/g, '')
    return (
      translate(own.replaceAll('{}', '7')) !== null || (own.includes('{}') && keys.some((key) => caseOf(own).test(key)))
    )
  }
  const unknown = said.filter(([text]) => !isKnown(text)).map(([text, file]) => `${file}: ${text}`)
  expect(unknown).toEqual([])
})

test('file names, several sentences and numbers are written as the language requires', async () => {
  const { translate } = await speakGerman()
  const zip = 'The zip has 20,000 entries; at most 2,000 are read. Put fewer files into it, or join those of one kind.'
  const packed = 'Packen Sie weniger Dateien hinein, oder fügen Sie gleichartige zusammen.'
  expect(translate(`x.zip: ${zip}`)).toBe(
    `x.zip: Die Zip-Datei hat 20.000 Einträge; höchstens 2.000 werden gelesen. ${packed}`,
  )
  const wide =
    'a: b.csv: Line 1: the row has more than 10,000 values. Check that this is the right file. Tables may have up to 500 columns.'
  expect(translate(wide)).toBe(
    'a: b.csv: Zeile 1: Die Zeile hat mehr als 10.000 Werte. Sehen Sie nach, ob es die richtige Datei ist. Tabellen dürfen bis zu 500 Spalten haben.',
  )
  expect(translate('must be one of new, open')).toBe('Möglich sind: new, open.')
  // One unknown sentence leaves the whole text in English.
  expect(translate('The zip file is damaged. Ask your grandmother.')).toBeNull()
  expect(translate(`${'a: '.repeat(600)}b`)).toBeNull()
})

test('our own words inside a sentence are translated, and the customer’s words stay unchanged', async () => {
  const { translate } = await speakGerman()
  expect(
    translate('Redmine has no custom field "Wherry key" for spent time, by which imported records are found again.'),
  ).toBe(
    'Das benutzerdefinierte Feld „Wherry key“ für Aufgewendete Zeit fehlt in Redmine. Daran werden importierte Datensätze wiedererkannt.',
  )
  expect(
    translate('2 rows cannot be read: line 3: it has 4 values where the header has 2; line 9: it is no CSV.'),
  ).toBe('2 Zeilen sind nicht lesbar: Zeile 3: Sie hat 4 Werte, die Kopfzeile hat 2; Zeile 9: Das ist kein CSV.')
  expect(translate('The file has 1,031.5 MB; the destination accepts files up to 21 MB.')).toBe(
    'Die Datei hat 1.031,5 MB; das Ziel nimmt Dateien bis 21 MB an.',
  )
  expect(translate('Tickets of this queue cannot have the status "tickets".')).toBe(
    'Tickets dieses Bereichs können den Status „tickets“ nicht haben.',
  )
  expect(translate('Ghost does not delete it: Resource is locked')).toBe(
    'Ghost löscht den Datensatz nicht: Resource is locked',
  )
  // This is the answer of a tool.
  expect(translate('Subject cannot be blank')).toBeNull()
})

test('the reason why a record failed again and again is translated, for every tool', async () => {
  const { translate } = await speakGerman()
  const failed = (why: string) => translate(`It failed 5 times or more: ${why}`)
  for (const { tool, label, destination } of connectors) {
    // Tools of the open protocol are called "the destination".
    const name = tool === 'open' ? 'the destination' : label
    if (destination) expect(failed(`${name} answered 503 Service Unavailable`), tool).toMatch(/ antwortete 503 /)
  }
  expect(failed('WordPress answered to a part of a batch')).toBe(
    'Es ist 5-mal oder öfter fehlgeschlagen: WordPress antwortete nur zu einem Teil der Datensätze',
  )
  expect(failed('Redmine answered with a user of an unknown shape')).toBe(
    'Es ist 5-mal oder öfter fehlgeschlagen: Redmine antwortete in einer unbekannten Form (a user)',
  )
  expect(translate('does not fit: a person cannot become a whole number')).toBe(
    'Das passt nicht. Vorhanden ist: eine Person; gebraucht wird: eine ganze Zahl.',
  )
  expect(translate('does not allow this now: Migration in progress')).toBe(
    'Das geht im jetzigen Stand nicht: vollständige Übertragung läuft.',
  )
})

test('text of a tool that resembles our sentences is checked quickly', async () => {
  const { translate } = await speakGerman()
  const odd = ['x fails to return ('.repeat(90), 'The field "'.repeat(180), '. '.repeat(990), 'a; '.repeat(660)]
  for (const text of odd) expect(translate(text)).toBeNull()
})
