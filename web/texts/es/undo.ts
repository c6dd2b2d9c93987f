import type { undo as en } from '../en/undo.ts'

export const undo: typeof en = {
  title: (destination) => `¿Retirar todo de ${destination}?`,
  titleRunning: '¿Detener y deshacer?',
  intro: (source) => `Solo se quita lo que esta importación creó. En ${source} no se toca nada.`,
  introRunning: (count, destination) =>
    `La copia se detiene enseguida. Después se quitan los registros que ha creado en ${destination} (${count}). Los que alguien haya editado allí desde entonces se quedan.`,
  impossible: (destination) =>
    `${destination} no ofrece ninguna manera de quitar registros, así que esta importación no se puede deshacer. Puede quitarlos allí a mano; el informe los nombra todos.`,
  until: (date) => `Puede deshacer esta importación hasta el ${date}. Después borramos nuestro acceso a ambas cuentas.`,
  over: (date) =>
    `Esta importación se podía deshacer hasta el ${date}. Desde entonces hemos borrado nuestro acceso a ambas cuentas.`,
  look: 'Ver qué se quitaría',
  looking: (destination) => `Consultando a ${destination} cada registro…`,
  lookText: 'Primero miramos cada registro tal como está ahora. Con eso no se quita nada.',
  lookPaused: 'No pudimos mirarlo todo',
  findings: {
    removable: 'Se quitarán',
    edited: 'Editados allí después',
    missing: 'Ya no están',
    unknown: 'No se pueden consultar',
  },
  findingsText: {
    removable: 'Están como esta importación los dejó',
    edited: 'Se quedan, salvo que usted decida otra cosa',
    missing: 'Alguien ya los ha quitado',
    unknown: 'Se quedan, y constan en el informe',
  },
  showEdited: 'Mostrar los editados',
  removeEdited: (count) => `Quitar también los que alguien ha editado después (${count})`,
  word: 'deshacer',
  confirm: (word) => `Escriba «${word}» para confirmar`,
  confirmMissing: (word) => `Escriba primero «${word}» en el campo de arriba.`,
  start: (count) => (count === '1' ? 'Quitar 1 registro' : `Quitar ${count} registros`),
  startRunning: 'Detener y quitar',
  starting: 'Empezando a deshacer…',
  keep: 'Conservarlo todo',
  cleanedStayed: 'Registros que se quedaron',
  cleanedStayedText: 'Estos se editaron allí o no se pudieron quitar. El informe los nombra uno a uno.',
  startOver: 'Empezar de nuevo',
  startingOver: 'Empezando de nuevo…',
  startOverText: 'Vuelve al plan. Su correspondencia se conserva.',
}
