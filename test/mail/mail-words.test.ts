import { expect, test } from 'vitest'
import { languages } from '../../service/src/languages.ts'
import { type MailFacts, type MailValues, type MailWords, mailTexts } from '../../service/src/mail/templates.ts'

const facts: MailFacts = { partner: '⟦partner⟧', source: '⟦source⟧', destination: '⟦destination⟧' }
const money = { amount: 149_050, currency: 'EUR' }
const values: { [T in keyof MailValues]: MailValues[T][] } = {
  completed: [{ records: 1 }, { records: 1204 }],
  paused: ['authorization_lost', 'look_for_mail', 'source_page_failing', 'records_not_paid', 'other'].map((code) => ({
    code,
    role: 'source' as const,
  })),
  undone: [{ kept: 0 }, { kept: 1 }, { kept: 1204 }],
  receipt: [
    { ...money, package: 'Small', invoice: null },
    { ...money, package: 'Small', invoice: 'W-000001' },
  ],
  invoice: [{ ...money, number: 'W-000001', due: '2026-12-15' }],
  refunded: [
    { ...money, because: 'other' },
    { ...money, because: 'partner_pays' },
    { ...money, because: 'paid_twice' },
  ],
}
const mails = (language: (typeof languages)[number]) => {
  const { greeting, reason, ...templates } = mailTexts[language]
  const composed = Object.entries(templates).flatMap(([template, compose]) =>
    values[template as keyof MailValues].map((given) => (compose as (...args: unknown[]) => MailWords)(facts, given)),
  )
  return [
    greeting,
    reason(facts),
    ...composed.flatMap(({ subject, paragraphs, action }) => [subject, ...paragraphs, action]),
  ]
}
const named = (text: string) => [...new Set(text.match(/⟦\w+⟧|W-000001|Small/g))].sort().join()

test.each(languages.filter((language) => language !== 'en'))('every mail is complete in %s', (language) => {
  const english = mails('en')
  const said = mails(language)
  expect(said).toHaveLength(english.length)
  expect(said.filter((text, index) => text === english[index])).toEqual([])
  // Sentences may be split differently, but the whole mail has the same names.
  expect(said.map(named)).toEqual(english.map(named))
  expect(said.filter((text) => /\b(the|and|your|you|records?)\b/i.test(text))).toEqual([])
})

test('dates, numbers and money have the form of the language', () => {
  const said = (language: (typeof languages)[number]) =>
    mails(language)
      .join('\n')
      .replaceAll(/[\u00a0\u202f]/g, ' ')
  expect(said('de')).toMatch(/1\.204 Datensätze.*1\.490,50 €.*15\. Dezember 2026/s)
  expect(said('es')).toMatch(/1204 registros.*1490,50 €.*15 de diciembre de 2026/s)
  expect(said('fr')).toMatch(/1 204 enregistrements.*1 490,50 €.*15 décembre 2026/s)
})
