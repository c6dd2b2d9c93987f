import type { review as en } from '../en/review.ts'

export const review: typeof en = {
  intro: (destination) =>
    `Vergleichen Sie, was angekommen ist, mit den Originalen. Mehr wird nicht kopiert, bis Sie es sagen. Sie können sich auch in ${destination} selbst umsehen.`,
  records: 'Datensatz für Datensatz vergleichen',
  recordsText: 'Haken Sie ab, was stimmt, und markieren Sie, was nicht stimmt. Ihr Team sieht dieselben Zeichen.',
  entities: 'Arten von Datensätzen',
  list: 'Datensätze der Probe',
  previous: 'Voriger',
  next: 'Nächster',
  position: (at, all) => `${at} von ${all}`,
  looking: 'Er wird aus beiden Werkzeugen gelesen …',
  field: 'Feld',
  inSource: (source) => `In ${source}`,
  mapped: 'Wie wir es zugeordnet haben',
  stored: (destination) => `Jetzt in ${destination}`,
  openSource: (source) => `In ${source} öffnen`,
  openDestination: (destination) => `In ${destination} öffnen`,
  notStored: 'Er ist nicht dort.',
  notMapped: 'Er wartet auf einen Datensatz, zu dem er gehört.',
  differs: 'weicht ab',
  agrees: 'Was zurückgelesen wurde, stimmt mit dem überein, was wir gesendet haben.',
  differences: (count) =>
    count === 1
      ? '1 Feld ist nicht so, wie wir es gesendet haben.'
      : `${count} Felder sind nicht so, wie wir sie gesendet haben.`,
  linkedLater: 'wird beim Kopieren verknüpft',
  empty: 'leer',
  yes: 'ja',
  no: 'nein',
  created: 'Angelegt',
  updated: 'Geändert',
  lost: 'Was sich unterwegs ändert',
  fine: 'Stimmt',
  flag: 'Etwas stimmt nicht',
  marked: { fine: 'stimmt', flagged: 'markiert' },
  marking: 'Ihr Zeichen wird gespeichert …',
  flaggedNote: (count) =>
    count === 1
      ? 'Sie haben 1 Datensatz markiert. Ändern Sie die Zuordnung und wiederholen Sie die Probe, oder gehen Sie weiter, wenn Sie damit leben können.'
      : `Sie haben ${count} Datensätze markiert. Ändern Sie die Zuordnung und wiederholen Sie die Probe, oder gehen Sie weiter, wenn Sie damit leben können.`,
  noRecords: 'Davon ist nichts in der Probe.',
  goOn: 'Weiter zur vollständigen Übertragung',
  change: 'Zuordnung ändern und wiederholen',
  undo: 'Probe rückgängig machen',
}
