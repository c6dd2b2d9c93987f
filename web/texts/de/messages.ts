import type { messages as en } from '../en/messages.ts'

export const messages: typeof en = {
  title: 'Nachrichten',
  intro: 'Was wir Ihnen zu diesem Import geschrieben haben, das Neueste zuerst.',
  introUnsent:
    'Dieser Dienst verschickt keine E-Mails. Was er Ihnen geschrieben hätte, steht hier, das Neueste zuerst.',
  none: 'Es gibt noch keine Nachricht. Wir schreiben, wenn die Übertragung fertig ist, wenn sie Sie braucht, und wenn sie rückgängig gemacht ist.',
  to: (address) => `an ${address}`,
  states: { waiting: 'Noch nicht verschickt', sent: 'Verschickt', given_up: 'Konnte nicht verschickt werden' },
  unsent: 'Hier aufbewahrt',
  trouble: 'Der Mailserver sagte',
  tellMe: {
    heading: 'Sagen Sie mir, wenn es fertig ist',
    text: 'Wir schreiben auch, wenn Sie gebraucht werden. Sonst nichts.',
    textUnsent: 'Dieser Dienst verschickt keine E-Mails; unsere Nachricht wartet unter „Nachrichten“ auf Sie.',
    label: 'Ihre E-Mail-Adresse',
    invalid: 'Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel sie@example.com.',
    submit: 'Benachrichtigen',
    submitting: 'Wird gespeichert …',
    told: (address) => `Wir schreiben an ${address}, wenn es fertig ist oder Sie gebraucht werden.`,
    toldUnsent: (address) => `Vermerkt für ${address}.`,
    change: 'Adresse ändern',
    remove: 'Nicht schreiben',
    removing: 'Wird entfernt …',
    keep: 'So lassen',
  },
}
