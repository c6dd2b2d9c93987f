import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { findLanguage, type Language, languageCodes, languages } from '../../web/texts/languages.ts'
import type { StatusFacts } from '../../web/texts/status-facts.ts'

type Said = Map<string, string>

const facts: StatusFacts = {
  source: '⟦source⟧',
  destination: '⟦destination⟧',
  partner: '⟦partner⟧',
  sponsorship: 'undecided',
  startFull: false,
  missingAccess: ['⟦account⟧'],
  warningCount: 2,
}
/** Sample arguments like those of the screens: names, shown numbers, one thing and several. */
const samples = (path: string, count: number): unknown[][] =>
  path.startsWith('status.')
    ? [
        [facts],
        [{ ...facts, startFull: true, missingAccess: [], warningCount: 0, sponsorship: 'accepted' }],
        [{ ...facts, sponsorship: 'rejected' }],
      ]
    : [
        Array.from({ length: count }, (_, index) => `⟦${index}⟧`),
        Array.from({ length: count }, () => 1),
        Array.from({ length: count }, () => '1'),
        Array.from({ length: count }, () => 12),
      ]

/** Every sentence of a catalog, by its path. */
function sayAll(words: unknown, path = '', said: Said = new Map()): Said {
  if (typeof words === 'string') said.set(path, words)
  else if (typeof words === 'function') {
    for (const [index, args] of samples(path, words.length).entries()) {
      sayAll(say(words as Speak, args), `${path}(${index})`, said)
    }
  } else {
    for (const [key, value] of Object.entries(words as object))
      sayAll(value, path === '' ? key : `${path}.${key}`, said)
  }
  return said
}

type Speak = (...args: unknown[]) => unknown

/**
 * Calls a function of a catalog. A function that needs more than names and numbers gets a stand-in for a list, facts or
 * a function.
 */
function say(speak: Speak, args: unknown[]): unknown {
  try {
    return speak(...args)
  } catch {
    return speak(...args.map((arg) => anything(String(arg))))
  }
}

function anything(mark: string): unknown {
  return new Proxy(() => mark, {
    apply: (_target, _self, [first]) => String(first ?? mark),
    get: (_target, name) => {
      if (name === Symbol.toPrimitive) return () => mark
      if (name in Array.prototype) return Reflect.get([mark], name)
      return anything(`⟦${String(name)}⟧`)
    },
  })
}

const catalogOf = async (language: Language) => {
  const [{ texts }, { laterTexts }] = await Promise.all([languages[language].first(), languages[language].later()])
  return sayAll({ ...texts, ...laterTexts })
}

const english = await catalogOf('en')

/** Words that are the same as in English, and correct. */
const shared: Record<string, string> = {
  de: 'Boards Domains Format In Labels Name Person Pipeline Pipelines Position Status Support Teams Text Ticket Tickets',
  es: 'No Plan Ticket Tickets no',
  fr: 'Agents Articles Contacts Description Format Messages Note Notes Pages Pipeline Pipelines Plan Position Public Sections Source Ticket Tickets Type inactive minute minutes',
}

describe.each(languageCodes.filter((code) => code !== 'en'))('the words in %s', async (code) => {
  const said = await catalogOf(code)

  test('are complete, with nothing beyond the English ones', () => {
    expect([...said.keys()].sort()).toEqual([...english.keys()].sort())
  })

  test('are not left in English', () => {
    const same = [...said].filter(([place, words]) => words === english.get(place))
    const words = same.map(([, text]) => text.replaceAll(/⟦\w*⟧|[^\p{L} ]/gu, '').trim())
    const allowed = new Set(['', 'Wherry', 'B', 'kB', 'MB', 'GB', ...(shared[code]?.split(' ') ?? [])])
    expect(words.filter((word) => !allowed.has(word))).toEqual([])
    expect([...said].filter(([, words]) => /\b(the|and|your|you|with|are|records?)\b/i.test(words))).toEqual([])
  })

  test('contain every name and number of the English words', () => {
    const named = (words = '') => [...new Set(words.match(/⟦\w+⟧|\{\w+\}/g))].sort()
    const missing = [...said].filter(([place, words]) => named(words).join() !== named(english.get(place)).join())
    expect(missing.map(([place, words]) => ({ place, words, english: english.get(place) }))).toEqual([])
  })
})

test('French punctuation never starts the next line alone', async () => {
  const said = [...(await catalogOf('fr')).values()]
  expect(said.filter((words) => / [:;?!»]|« /.test(words))).toEqual([])
})

test('Spanish questions start with their opening mark', async () => {
  const said = [...(await catalogOf('es')).values()]
  expect(said.filter((words) => /\?/.test(words) !== /¿/.test(words))).toEqual([])
})

test('each language has a folder of words, and each folder a language', async () => {
  const entries = await readdir(new URL('../../web/texts/', import.meta.url), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders.sort()).toEqual([...languageCodes].sort())
})

test('the first supported language of the browser is used', () => {
  expect(findLanguage(['it-IT', 'fr-CH', 'de'])).toBe('fr')
  expect(findLanguage(['es-419'])).toBe('es')
  expect(findLanguage(['DE'])).toBe('de')
  expect(findLanguage(['est', 'fry', '', 'constructor'])).toBeUndefined()
})
