import type { MailTexts } from './templates.ts'

const count = (number: number) => number.toLocaleString('de')

export const german: MailTexts = {
  greeting: 'Guten Tag,',
  reason: ({ partner }) =>
    `Sie erhalten diese Nachricht, weil Ihre Adresse für diesen Import nach ${partner} angegeben wurde. Dort lässt sie sich ändern oder entfernen.`,
  completed: ({ source, destination }, { records }) => ({
    subject: `Ihre Daten sind in ${destination} angekommen`,
    paragraphs: [
      `Die Übertragung von ${source} nach ${destination} ist abgeschlossen: ${records === 1 ? '1 Datensatz ist' : `${count(records)} Datensätze sind`} jetzt dort.`,
      'Der Bericht zeigt, was aus jedem Datensatz wurde und ob etwas angesehen werden sollte.',
    ],
    action: 'Bericht ansehen',
  }),
  paused: ({ source, destination }, { code, role }) => {
    const account = role === 'source' ? source : destination
    const because =
      code === 'authorization_lost'
        ? `${account} lässt uns nicht mehr hinein, deshalb muss das Konto neu verbunden werden.`
        : code === 'look_for_mail'
          ? `Ein Datensatz wurde vorab geschrieben. Bitte sehen Sie nach, ob ${destination} darüber jemandem eine Nachricht geschickt hat, bevor der Rest folgt.`
          : 'Etwas braucht Ihre Entscheidung oder Ihre Hilfe. Die Seite Ihres Imports sagt, was.'
    return {
      subject: `Ihre Übertragung nach ${destination} wartet auf Sie`,
      paragraphs: [
        `Die Übertragung von ${source} nach ${destination} ist angehalten.`,
        because,
        'Es ist nichts verloren: Sie geht dort weiter, wo sie steht.',
      ],
      action: 'Import öffnen',
    }
  },
  undone: ({ source, destination }, { kept }) => ({
    subject: `Die Übertragung nach ${destination} wurde rückgängig gemacht`,
    paragraphs: [
      `Was von ${source} nach ${destination} übertragen wurde, ist dort wieder entfernt. In ${source} wurde nichts verändert.`,
      ...(kept === 0
        ? []
        : [
            `${kept === 1 ? '1 Datensatz wurde' : `${count(kept)} Datensätze wurden`} behalten, zum Beispiel weil jemand daran seither etwas geändert hat. Die Seite Ihres Imports führt auf, was geblieben ist.`,
          ]),
    ],
    action: 'Import öffnen',
  }),
}
