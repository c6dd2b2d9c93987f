import type { people as en } from '../en/people.ts'

export const people: typeof en = {
  title: 'Personen zuordnen',
  intro: (source, destination) =>
    `Wer aus ${source} ist wer in ${destination}? Wir ordnen nach der E-Mail-Adresse zu. Wo nur der Name ähnlich ist, entscheiden Sie.`,
  open: (count, destination, isOne) =>
    isOne
      ? `${count} Person hat noch kein Konto in ${destination}. Datensätze, die sie nennen, kommen ohne diesen Namen an.`
      : `${count} Personen haben noch kein Konto in ${destination}. Datensätze, die sie nennen, kommen ohne diese Namen an.`,
  applies: {
    plan: 'Ihre Wahl gilt ab dem nächsten Lauf.',
    sample: 'Ihre Wahl gilt ab dem nächsten Lauf. Wiederholen Sie die Probe, um es zu sehen.',
    done: 'Kopierte Datensätze behalten, was sie haben, bis Sie Ihre Wahl auf sie anwenden.',
  },
  repeatSample: 'Probe wiederholen',
  applyNow: 'Auf kopierte Datensätze anwenden',
  starting: 'Wird gestartet …',
  defaultUser: 'Wer für alle ohne Zuordnung einsteht',
  nobody: 'Niemand: Der Name wird weggelassen',
  becomesOf: (name) => `Wer ${name} ist`,
  matched: 'gleiche E-Mail-Adresse',
  chosen: 'von Ihnen gewählt',
  suggestion: (name) => `Ähnlicher Name: ${name}`,
  useSuggestion: 'Ja, dieselbe Person',
  unmatched: 'keine Zuordnung',
  leftEmpty: 'von Ihnen weggelassen',
  namedIn: (count, isOne) => (isOne ? `in ${count} Datensatz genannt` : `in ${count} Datensätzen genannt`),
  namedInNone: 'in keinem Datensatz genannt, den wir angesehen haben',
  unlisted: 'dort nicht mehr aufgeführt',
  unnamed: (id) => `Person ${id}`,
  change: 'Ändern',
  inactive: 'nicht aktiv',
  onlyOpen: 'Nur Personen ohne Zuordnung',
  select: (name) => `${name} auswählen`,
  selectAll: (count) => `Alle ${count} gezeigten ohne Zuordnung auswählen`,
  forSelected: (count, isOne) =>
    isOne ? `Für die ${count} ausgewählte Person` : `Für die ${count} ausgewählten Personen`,
  apply: 'Für alle ausgewählten verwenden',
  acceptAll: (count) => `Alle ${count} Vorschläge annehmen`,
  saving: 'Wird gespeichert …',
  none: 'Es gibt niemanden zuzuordnen.',
  all: 'Alle haben eine Zuordnung.',
  search: 'Personen suchen',
}
