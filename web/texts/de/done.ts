import type { done as en } from '../en/done.ts'

export const done: typeof en = {
  sums: 'Ergebnis',
  sumsText: 'Jeder gefundene Datensatz steht in genau einer Spalte.',
  entity: 'Was',
  found: 'Gefunden',
  states: {
    written: 'Kopiert',
    matched: 'Schon dort',
    filtered: 'Von Ihnen weggelassen',
    refused: 'Nicht angenommen',
    held: 'Wartet',
    unknown: 'Ungewiss',
    deleted: 'Dort gelöscht',
    removed: 'Wieder entfernt',
  },
  all: 'Alle',
  sentence: (found, parts) => `${found} gefunden = ${parts}`,
  part: {
    written: (count) => `${count} kopiert`,
    matched: (count) => `${count} schon dort`,
    filtered: (count) => `${count} von Ihnen weggelassen`,
    refused: (count) => `${count} nicht angenommen`,
    held: (count) => `${count} wartend`,
    unknown: (count) => `${count} ungewiss`,
    deleted: (count) => `${count} dort von jemandem gelöscht`,
    removed: (count) => `${count} wieder entfernt`,
  },
  open: (destination) => `${destination} öffnen`,
  checkedHeading: 'Was wir geprüft haben',
  checkedText: (read, written, destination) =>
    `Wir haben ${read} von ${written} kopierten Datensätzen aus ${destination} zurückgelesen und mit dem verglichen, was wir gesendet haben.`,
  checkedAll: (written, destination) =>
    `Wir haben alle ${written} kopierten Datensätze aus ${destination} zurückgelesen und mit dem verglichen, was wir gesendet haben.`,
  checkedOf: (read, written) => `${read} von ${written} zurückgelesen`,
  checkedSame: 'alle gleich',
  checkedDifferent: (formatted, count) =>
    count === 1
      ? '1 ist nicht so, wie wir ihn gesendet haben'
      : `${formatted} sind nicht so, wie wir sie gesendet haben`,
  checkAll: 'Alles prüfen',
  checkAgain: 'Alles noch einmal prüfen',
  checkStarting: 'Wird gestartet …',
  checkText:
    'Dabei wird jeder kopierte Datensatz und jede Datei zurückgelesen. Geändert wird nichts, und Sie können dieses Fenster schließen.',
  checking: (done, all) => `Wird geprüft: ${done} von ${all} zurückgelesen.`,
  checkPaused: 'Die Prüfung ist angehalten. Verloren ist nichts.',
  checkPause: 'Prüfung anhalten',
  checkResume: 'Prüfung fortsetzen',
  warnings: 'Was Sie wissen sollten',
  fieldsNotTaken: (destination) => `Felder, die ${destination} nicht hat`,
  fieldsNotTakenFix:
    'Ihre Werte bleiben zurück. Schicken Sie ein Feld in der Zuordnung in ein anderes, wenn eines passt.',
  noWarnings: 'Nichts verlangt Ihre Aufmerksamkeit.',
  whatToDo: 'Was Sie tun können',
  showRecords: 'Zeigen, welche',
  hideRecords: 'Verbergen',
  record: 'Datensatz',
  reason: 'Grund',
  retry: (count) => `${count} noch einmal versuchen`,
  retryHeading: 'Noch einmal versuchen, was nicht angekommen ist',
  retryText: (count) =>
    `${count} Datensätze wurden abgelehnt oder warten auf einen solchen. Beseitigen Sie in einem der beiden Werkzeuge, was im Weg steht, und versuchen Sie es dann noch einmal. Was angekommen ist, bleibt unberührt.`,
  retrying: 'Wird gestartet …',
  bringBackHeading: 'Gelöschte Datensätze zurückholen',
  bringBackText: (count, destination) =>
    `Jemand hat ${count} der kopierten Datensätze in ${destination} gelöscht. Sie bleiben gelöscht, solange Sie sie nicht zurückholen. Dann werden sie noch einmal aus der Quelle kopiert.`,
  bringBack: (count) => `${count} zurückholen`,
  goneHeading: (source) => `Nicht mehr in ${source}`,
  goneText: (formatted, count, source, destination) =>
    count === 1
      ? `1 kopierter Datensatz ist nicht mehr in ${source}. In ${destination} ist er noch.`
      : `${formatted} kopierte Datensätze sind nicht mehr in ${source}. In ${destination} sind sie noch.`,
  goneCare: (destination) =>
    `Wenn Sie sie entfernen: Ein Datensatz, den jemand in ${destination} geändert hat, bleibt, ebenso einer, auf den sich dort ein anderer bezieht. Diese Seite nennt sie dann. Rückgängig machen können Sie den Import auch danach.`,
  goneRemove: (destination) => `Aus ${destination} entfernen`,
  goneRemoving: 'Wird gestartet …',
  goneKeep: 'Behalten',
  goneKeeping: 'Werden behalten …',
  sendUnknown: 'Auch die ungewissen noch einmal senden. Sind sie doch angekommen, gibt es sie dann doppelt.',
  delta: 'Nachholen, was sich seitdem geändert hat',
  deltaText: (source, when) =>
    `Falls in ${source} nach ${when} weitergearbeitet wurde: Neue und geänderte Datensätze werden kopiert, und nichts doppelt. Dort gelöschte werden aufgelistet, und Sie entscheiden über sie. So oft Sie möchten.`,
  deltaUntold: (source, entities) =>
    `Bei diesen Datensätzen kann ${source} nicht sagen, welche einzeln gelöscht wurden: ${entities}.`,
  deltaStart: 'Änderungen kopieren',
  deltaStarting: 'Wird gestartet …',
  lookup: 'Einen Datensatz an seiner Kennung finden',
  lookupText: 'Die alte Kennung oder die neue. Für Links und Notizen, in denen noch die alte steht.',
  lookupLabel: 'Kennung',
  lookupFind: 'Finden',
  lookupFinding: 'Wird gesucht …',
  lookupNone: (id) => `Kein Datensatz dieses Imports hat die Kennung ${id}.`,
  lookupSource: 'vorher',
  lookupDestination: 'jetzt',
  report: 'Bericht',
  reportText: 'Was aus jedem einzelnen Datensatz wurde, mit alten und neuen Kennungen.',
  download: 'Als CSV herunterladen',
  print: 'Diese Seite drucken',
  undoLink: 'Import rückgängig machen',
  undoText: (destination) => `Alles, was dieser Import in ${destination} angelegt hat, lässt sich wieder entfernen.`,
  more: 'Weiteres',
  plan: 'Plan und Zuordnung ansehen',
}
