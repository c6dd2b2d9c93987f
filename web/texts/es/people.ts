import type { people as en } from '../en/people.ts'

export const people: typeof en = {
  title: 'Relacionar personas',
  intro: (source, destination) =>
    `Elija la cuenta de ${destination} de cada persona de ${source}. Las relacionamos por la dirección de correo. Si solo se parece el nombre, decide usted.`,
  open: (count, destination, isOne) =>
    isOne
      ? `${count} persona aún no tiene cuenta en ${destination}. Los registros que la nombran llegan sin ese nombre.`
      : `${count} personas aún no tienen cuenta en ${destination}. Los registros que las nombran llegan sin esos nombres.`,
  applies: {
    plan: 'Su elección vale a partir de la próxima ejecución.',
    sample: 'Su elección vale a partir de la próxima ejecución. Repita la muestra para verla.',
    done: 'Los registros ya copiados quedan como están hasta que usted les aplique su elección. Eso asigna responsables de nuevo y no copia nada dos veces. Antes volvemos a leer las personas de ambas herramientas.',
  },
  repeatSample: 'Repetir la muestra',
  applyNow: 'Aplicar a los registros copiados',
  starting: 'Iniciando…',
  defaultUser: 'Sustituto de todos los que no tienen equivalente',
  nobody: 'Nadie: el nombre se deja fuera',
  inviteLater: 'Invitar más tarde: el nombre figura en el registro',
  inviteAll: (count, isOne) =>
    isOne ? `Conservar ${count} nombre, invitar más tarde` : `Conservar los ${count} nombres, invitar más tarde`,
  toInvite: (count, destination, isOne) =>
    isOne
      ? `Usted invita a ${count} persona más tarde. Quien lee un registro ve el nombre en él. Una vez invitada en ${destination}, se relaciona por la dirección de correo.`
      : `Usted invita a ${count} personas más tarde. Quien lee un registro ve el nombre en él. Una vez invitadas en ${destination}, se relacionan por la dirección de correo.`,
  becomesOf: (name) => `Cuenta de ${name}`,
  matched: 'misma dirección de correo',
  chosen: 'elegida por usted',
  suggestion: (name) => `Nombre parecido: ${name}`,
  useSuggestion: 'Sí, es la misma persona',
  unmatched: 'sin equivalente',
  leftEmpty: 'excluida por usted',
  nameKept: 'se invitará más tarde; el nombre figura en los registros',
  namedIn: (count, isOne) => (isOne ? `nombrada en ${count} registro` : `nombrada en ${count} registros`),
  namedInNone: 'no aparece en ningún registro de los que miramos',
  unlisted: 'ya no figura en el origen',
  unnamed: (id) => `Persona ${id}`,
  change: 'Cambiar',
  inactive: 'inactiva',
  onlyOpen: 'Solo personas sin equivalente',
  select: (name) => `Seleccionar ${name}`,
  selectAll: (count) => `Seleccionar las ${count} mostradas sin equivalente`,
  forSelected: (count, isOne) =>
    isOne ? `Para ${count} persona seleccionada` : `Para ${count} personas seleccionadas`,
  apply: 'Usar para todas las seleccionadas',
  acceptAll: (count) => `Aceptar todas las propuestas (${count})`,
  saving: 'Guardando…',
  none: 'No hay nadie a quien relacionar.',
  all: 'Todas las personas tienen equivalente.',
  search: 'Buscar personas',
}
