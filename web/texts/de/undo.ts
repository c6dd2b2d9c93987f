import type { undo as en } from '../en/undo.ts'

export const undo: typeof en = {
  title: (destination) => `Alles wieder aus ${destination} entfernen?`,
  titleRunning: 'Stoppen und rückgängig machen?',
  intro: (source) => `Entfernt wird nur, was dieser Import angelegt hat. ${source} bleibt unberührt.`,
  introRunning: (count, destination) =>
    `Das Kopieren endet sofort. Danach werden die ${count} Datensätze entfernt, die es in ${destination} angelegt hat. Datensätze, die dort seitdem jemand bearbeitet hat, bleiben.`,
  impossible: (destination) =>
    `In ${destination} lassen sich Datensätze nicht entfernen, deshalb kann dieser Import nicht rückgängig gemacht werden. Sie können sie dort von Hand entfernen; der Bericht nennt sie alle.`,
  until: (date) =>
    `Sie können diesen Import bis zum ${date} rückgängig machen. Danach löschen wir unseren Zugang zu beiden Konten.`,
  over: (date) =>
    `Dieser Import ließ sich bis zum ${date} rückgängig machen. Seitdem ist unser Zugang zu beiden Konten gelöscht.`,
  look: 'Ansehen, was entfernt würde',
  looking: (destination) => `${destination} wird nach jedem Datensatz gefragt …`,
  lookText: 'Zuerst sehen wir jeden Datensatz an, wie er jetzt ist. Dadurch wird nichts entfernt.',
  lookPaused: 'Wir konnten nicht alles ansehen',
  findings: {
    removable: 'Wird entfernt',
    edited: 'Seitdem dort bearbeitet',
    missing: 'Nicht mehr dort',
    unknown: 'Nicht nachzusehen',
  },
  findingsText: {
    removable: 'So, wie dieser Import sie hinterlassen hat',
    edited: 'Bleiben, wenn Sie nichts anderes sagen',
    missing: 'Jemand hat sie schon entfernt',
    unknown: 'Bleiben und stehen im Bericht',
  },
  showEdited: 'Die bearbeiteten zeigen',
  removeEdited: (count) => `Auch die ${count} entfernen, die seitdem bearbeitet wurden`,
  word: 'rückgängig',
  confirm: (word) => `Geben Sie zur Bestätigung „${word}“ ein`,
  confirmMissing: (word) => `Bitte geben Sie zuerst oben „${word}“ ein.`,
  start: (count) => `${count} Datensätze entfernen`,
  startRunning: 'Stoppen und entfernen',
  starting: 'Das Rückgängigmachen beginnt …',
  keep: 'Alles behalten',
  cleanedStayed: 'Gebliebene Datensätze',
  cleanedStayedText: 'Diese wurden dort bearbeitet oder ließen sich nicht entfernen. Der Bericht nennt jeden.',
  startOver: 'Neu beginnen',
  startingOver: 'Es wird neu begonnen …',
  startOverText: 'Sie kommen damit zurück zum Plan. Ihre Zuordnung bleibt erhalten.',
}
