import type { progress as en } from '../en/progress.ts'

export const progress: typeof en = {
  eta: {
    measuring: 'Estamos midiendo cuánto tardará.',
    between: (least, most) => `quedan entre ${least} y ${most} minutos, aproximadamente; aún estamos midiendo`,
    underMinute: 'queda menos de un minuto',
    minutes: (count) => (count === 1 ? 'queda alrededor de 1 minuto' : `quedan unos ${count} minutos`),
    hours: (count) => `quedan unas ${count} horas`,
    paused: 'En pausa. En este momento no se copia nada.',
    waiting: 'En espera. En este momento no se copia nada.',
  },
  held: {
    copying: (destination) => `La copia a ${destination} está detenida`,
    removing: (destination) => `La retirada de ${destination} está detenida`,
  },
  removal: {
    title: (destination) => `Quitando registros de ${destination}`,
    now: (source) => `Se quitan los registros que ya no están en ${source}. En ${source} no se cambia nada.`,
  },
  mayClose:
    'Puede cerrar esta ventana: todo continúa sin ella, y el enlace de la aplicación que le envió aquí le trae de vuelta.',
  stages: {
    users: 'Relacionando personas',
    choose: 'Eligiendo registros para la muestra',
    write: 'Copiando',
    link: 'Enlazando los registros',
    sweep: 'Buscando duplicados',
    verify: 'Leyendo de nuevo y comparando',
    compare: 'Buscando registros que se borraron en el origen',
    guard: 'Comprobando los enlaces de los registros que se quedan',
    remove: 'Quitando',
    follow: 'Comprobando los registros que se quedaron',
  },
  nowDoing: 'Ahora',
  ofEntity: (act, entity) => `${act}: ${entity}`,
  entities: 'En detalle',
  waiting: 'en espera',
  working: 'en curso',
  done: 'hecho',
  ofTotal: (done, total) => `${done} de ${total}`,
  inDestination: (formatted, count, destination, hasEarlier) => {
    const words = count === 1 ? `1 registro está en ${destination}` : `${formatted} registros están en ${destination}`
    return hasEarlier ? `${words}, incluidos los de ejecuciones anteriores.` : `${words}.`
  },
  pause: 'Pausar',
  pausing: 'Pausando…',
  resume: 'Continuar',
  resuming: 'Continuando…',
  stop: 'Detener y deshacer',
  pausedTitle: 'Usted la ha pausado',
  pausedText: 'Todo lo copiado hasta ahora está a salvo. Continúa desde aquí cuando usted quiera.',
  feed: 'Lo último que ha pasado',
  finishedAnnounced: 'Terminado',
}
