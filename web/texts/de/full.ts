import type { full as en } from '../en/full.ts'

export const full: typeof en = {
  title: 'Die vollständige Übertragung',
  intro: (source, destination) =>
    `Alles aus Ihrem Plan wird von ${source} nach ${destination} kopiert. Die Probe, die schon dort ist, bleibt und wird vervollständigt.`,
  titleByItself: 'Die vollständige Übertragung wird vorbereitet',
  introByItself: (source, destination) =>
    `Zuerst lesen wir ${source} und erstellen einen Plan. Dann kopieren wir alles nach ${destination}. Das beginnt von selbst; Sie müssen nicht hier warten.`,
  seePlan: 'Den Plan ansehen',
  willCopy: 'Was kopiert wird',
  about: (count) => `etwa ${count} Datensätze`,
  whoPays: 'Wer bezahlt',
  accepted: (partner) => `${partner} bezahlt. Es kostet Sie nichts.`,
  paid: 'Sie ist bezahlt.',
  undecided: (partner) => `${partner} hat noch nicht entschieden, ob sie bezahlt wird.`,
  ask: (partner) => `${partner} um Kostenübernahme bitten`,
  asking: 'Wird angefragt …',
  asked: (partner, when) =>
    `Sie haben ${partner} am ${when} gefragt. Sobald eine Antwort da ist, steht sie hier; bis dahin können Sie die Seite schließen.`,
  rejected: (partner) => `${partner} bezahlt sie nicht; Sie können sie hier kaufen.`,
  notYet: (partner) => `Sie können beginnen, sobald ${partner} zugesagt hat zu bezahlen oder Sie bezahlt haben.`,
  notPaid: 'Sie können beginnen, sobald bezahlt ist.',
  start: 'Vollständige Übertragung starten',
  starting: 'Wird gestartet …',
  back: 'Zurück zur Probe',
  plan: 'Den Plan noch einmal ansehen',
  safe: (source) =>
    `In ${source} wird nichts geändert oder gelöscht. Sie können jederzeit anhalten und es danach rückgängig machen.`,
  safeNoUndo: (source) => `In ${source} wird nichts geändert oder gelöscht. Sie können jederzeit anhalten.`,
}
