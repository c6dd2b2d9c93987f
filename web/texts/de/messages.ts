import type { messages as en } from '../en/messages.ts'

export const messages: typeof en = {
  title: 'Nachrichten',
  intro: 'Unsere Nachrichten an Sie zu diesem Import, die neueste zuerst.',
  introUnsent: 'Dieser Dienst verschickt keine E-Mails. Seine Nachrichten an Sie stehen hier, die neueste zuerst.',
  noneUnsent:
    'Dieser Dienst verschickt keine E-Mails, deshalb gibt es keine Nachrichten. Kommen Sie auf diese Seite zurück, um zu sehen, wie der Import steht.',
  none: 'Es gibt noch keine Nachricht. Wir schreiben, wenn die Übertragung fertig ist, wenn Sie etwas tun müssen, und wenn alles rückgängig gemacht ist.',
  to: (address) => `an ${address}`,
  states: { waiting: 'Noch nicht verschickt', sent: 'Verschickt', given_up: 'Konnte nicht verschickt werden' },
  unsent: 'Hier aufbewahrt',
  trouble: 'Der Mailserver sagte',
  tellMe: {
    heading: 'Sagen Sie mir, wenn es fertig ist',
    headingUnsent: 'Wenn es fertig ist',
    text: 'Wir schreiben auch, wenn der Import Sie braucht. Sonst senden wir nichts.',
    textUnsent:
      'Dieser Dienst verschickt keine E-Mails. Kommen Sie auf diese Seite zurück, um zu sehen, wie der Import steht. Er geht weiter, während sie geschlossen ist.',
    label: 'Ihre E-Mail-Adresse',
    invalid: 'Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel sie@example.com.',
    submit: 'Benachrichtigen',
    submitting: 'Wird gespeichert …',
    told: (address) => `Wir schreiben an ${address}, wenn es fertig ist oder Sie gebraucht werden.`,
    change: 'Adresse ändern',
    remove: 'Keine Nachrichten senden',
    removing: 'Wird entfernt …',
    keep: 'So lassen',
  },
}
