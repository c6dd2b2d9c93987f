import type { people as en } from '../en/people.ts'

export const people: typeof en = {
  title: 'Personen zuordnen',
  intro: (source, destination) =>
    `Wählen Sie für jede Person aus ${source} das Konto in ${destination}. Wir ordnen nach der E-Mail-Adresse zu. Wo nur der Name ähnlich ist, entscheiden Sie.`,
  open: (count, destination, isOne) =>
    isOne
      ? `${count} Person hat noch kein Konto in ${destination}. Datensätze, die sie nennen, kommen ohne diesen Namen an.`
      : `${count} Personen haben noch kein Konto in ${destination}. Datensätze, die sie nennen, kommen ohne diese Namen an.`,
  applies: {
    plan: 'Ihre Wahl gilt ab dem nächsten Lauf.',
    sample: 'Ihre Wahl gilt ab dem nächsten Lauf. Wiederholen Sie die Probe, um es zu sehen.',
    done: 'Kopierte Datensätze bleiben unverändert, bis Sie Ihre Wahl auf sie anwenden. Das weist Zuständige neu zu und kopiert nichts doppelt. Vorher lesen wir die Personen beider Programme noch einmal.',
  },
  repeatSample: 'Probe wiederholen',
  applyNow: 'Auf kopierte Datensätze anwenden',
  starting: 'Wird gestartet …',
  defaultUser: 'Ersatzperson für alle ohne Zuordnung',
  nobody: 'Niemand: Der Name wird weggelassen',
  inviteLater: 'Später einladen: Der Datensatz behält den Namen',
  inviteAll: (count, isOne) =>
    isOne ? `${count} Namen behalten, später einladen` : `Alle ${count} Namen behalten, später einladen`,
  toInvite: (count, destination, isOne) =>
    isOne
      ? `Sie laden ${count} Person später ein. Wer einen Datensatz liest, sieht den Namen darin. Ist sie in ${destination} eingeladen, wird sie nach der E-Mail-Adresse zugeordnet.`
      : `Sie laden ${count} Personen später ein. Wer einen Datensatz liest, sieht den Namen darin. Sind sie in ${destination} eingeladen, werden sie nach der E-Mail-Adresse zugeordnet.`,
  becomesOf: (name) => `Konto von ${name}`,
  matched: 'gleiche E-Mail-Adresse',
  chosen: 'von Ihnen gewählt',
  suggestion: (name) => `Ähnlicher Name: ${name}`,
  useSuggestion: 'Ja, dieselbe Person',
  unmatched: 'keine Zuordnung',
  leftEmpty: 'von Ihnen weggelassen',
  nameKept: 'wird später eingeladen; die Datensätze behalten den Namen',
  namedIn: (count, isOne) => (isOne ? `in ${count} Datensatz genannt` : `in ${count} Datensätzen genannt`),
  namedInNone: 'in keinem Datensatz genannt, den wir angesehen haben',
  unlisted: 'in der Quelle nicht mehr aufgeführt',
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
