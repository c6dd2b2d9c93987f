import type { upload as en } from '../en/upload.ts'

export const upload: typeof en = {
  intro:
    'Eine CSV-Datei, mehrere in einer Zip-Datei, oder eine Excel-Arbeitsmappe (.xlsx). Benennen Sie jede Datei und jedes Blatt nach ihrem Inhalt, zum Beispiel kontakte.csv oder tickets.csv.',
  choose: 'Datei wählen',
  orDrop: 'oder hier ablegen',
  sending: (sent, all) => `${sent} von ${all} hochgeladen`,
  sendingLabel: 'Wird hochgeladen',
  reading: 'Ihre Dateien werden gelesen …',
  stop: 'Anhalten',
  broken: 'Das Hochladen wurde unterbrochen. Wählen Sie dieselbe Datei noch einmal, dann geht es dort weiter.',
  goOn: (file, percent) =>
    `${file} ist zu ${percent} hochgeladen. Wählen Sie dieselbe Datei noch einmal, um fortzufahren.`,
  tooLarge: 'Diese Datei ist leer oder größer, als wir annehmen.',
  found: (file) => `Was wir in ${file} gefunden haben`,
  rows: (count, one) => `${count} ${one ? 'Zeile' : 'Zeilen'}`,
  holds: (file) => `Was ${file} enthält`,
  leaveOut: 'Diese Datei weglassen',
  columns: (count) => `${count} Spalten`,
  columnIs: (column) => `Was die Spalte ${column} ist`,
  as: {
    id: 'Die Kennung',
    created_at: 'Wann angelegt',
    updated_at: 'Wann geändert',
    currency: 'Währung',
    custom: 'Ein eigenes Feld',
    ignored: 'Weglassen',
  },
  textsAre: (column) => `Texte in ${column}`,
  formats: {
    plain: 'Reiner Text: wie geschrieben kopiert',
    html: 'HTML: Tags werden zu Formatierung',
    markdown: 'Markdown: Zeichen werden zu Formatierung',
  },
  days: {
    heading: 'Wie sind Tage geschrieben?',
    question: (column, file) => `Spalte ${column} in ${file}`,
    dmy: 'Tag zuerst',
    mdy: 'Monat zuerst',
    ymd: 'Jahr zuerst',
    reading: (example, day) => `${example} ist der ${day}`,
    noReading: (example) => `${example} ist nicht lesbar`,
    unreadable: (count, one) =>
      `${count} ${one ? 'Wert ist' : 'Werte sind'} so nicht lesbar und ${one ? 'wird' : 'werden'} weggelassen`,
    answerFirst: 'Bitte wählen Sie, wie Tage geschrieben sind. Vorher wird nichts kopiert.',
  },
  saving: 'Wird neu gelesen …',
  use: 'Diese Dateien verwenden',
  using: 'Wird verbunden …',
  nothingKnown: 'Bitte wählen Sie für mindestens eine Datei, was sie enthält.',
  problems: 'Was wir nicht verwenden konnten',
}
