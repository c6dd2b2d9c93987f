import type { progress as en } from '../en/progress.ts'

export const progress: typeof en = {
  eta: {
    measuring: 'Wir messen, wie lange es dauern wird.',
    between: (least, most) => `noch etwa ${least} bis ${most} Minuten; wir messen noch`,
    underMinute: 'noch weniger als eine Minute',
    minutes: (count) => (count === 1 ? 'noch etwa 1 Minute' : `noch etwa ${count} Minuten`),
    hours: (count) => `noch etwa ${count} Stunden`,
    paused: 'Angehalten. Im Moment wird nichts kopiert.',
    waiting: 'Es wird gewartet. Im Moment wird nichts kopiert.',
  },
  held: {
    copying: (destination) => `Das Kopieren nach ${destination} ist angehalten`,
    removing: (destination) => `Das Entfernen aus ${destination} ist angehalten`,
  },
  removal: {
    title: (destination) => `Datensätze werden aus ${destination} entfernt`,
    now: (source) =>
      `Datensätze, die nicht mehr in ${source} sind, werden entfernt. In ${source} wird nichts geändert.`,
  },
  mayClose:
    'Sie können dieses Fenster schließen. Die Arbeit geht weiter, und der Link in der App, aus der Sie kamen, führt Sie hierher zurück.',
  stages: {
    users: 'Personen werden zugeordnet',
    choose: 'Datensätze für die Probe werden gewählt',
    write: 'Wird kopiert',
    link: 'Datensätze werden verknüpft',
    sweep: 'Suche nach Dubletten',
    verify: 'Wird zurückgelesen und verglichen',
    compare: 'Suche nach Datensätzen, die in der Quelle gelöscht wurden',
    guard: 'Verweise bleibender Datensätze werden geprüft',
    remove: 'Wird entfernt',
    follow: 'Gebliebene Datensätze werden geprüft',
  },
  nowDoing: 'Jetzt',
  ofEntity: (act, entity) => `${act}: ${entity}`,
  entities: 'Im Einzelnen',
  waiting: 'wartet',
  working: 'läuft',
  done: 'fertig',
  ofTotal: (done, total) => `${done} von ${total}`,
  inDestination: (formatted, count, destination, hasEarlier) => {
    const words = count === 1 ? `1 Datensatz ist in ${destination}` : `${formatted} Datensätze sind in ${destination}`
    return hasEarlier ? `${words}, die aus früheren Läufen mitgezählt.` : `${words}.`
  },
  pause: 'Anhalten',
  pausing: 'Wird angehalten …',
  resume: 'Fortfahren',
  resuming: 'Es geht weiter …',
  stop: 'Stoppen und rückgängig machen',
  pausedTitle: 'Von Ihnen angehalten',
  pausedText: 'Alles bisher Kopierte ist sicher. Sie können von hier aus weitermachen, wann immer Sie möchten.',
  feed: 'Was zuletzt geschah',
  finishedAnnounced: 'Fertig',
}
