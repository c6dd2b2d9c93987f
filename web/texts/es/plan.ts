import type { plan as en } from '../en/plan.ts'

export const plan: typeof en = {
  titleWorking: 'Leyendo sus datos',
  working: (source) =>
    `Leemos una parte de todo lo que hay en ${source}, para que el plan trate de sus propios datos. No se escribe nada.`,
  lookedAt: (count) => (count === '1' ? '1 examinado' : `${count} examinados`),
  title: (destination) => `Su plan para ${destination}`,
  intro: (source) => `Todavía no se ha copiado nada. En ${source} no se cambia ni se borra nada, ni ahora ni después.`,
  introAgain: 'Elija qué registros se copian y cómo. La próxima ejecución trabaja con lo que usted haya guardado.',
  paused: 'Aún no pudimos verlo todo',
  numbers: 'Registros que se copian',
  entity: 'Qué',
  count: 'Cuántos',
  span: 'De cuándo',
  fields: 'Campos',
  include: (entity) => `Copiar ${entity}`,
  included: 'Se copian',
  leftOut: 'Excluidos por usted',
  notTaken: (destination) => `${destination} no los acepta`,
  withheld: (count) => `${count} más, no entregados`,
  uncounted: 'sin contar',
  noneOf: 'ninguno',
  filtered: 'Solo algunos, como usted eligió',
  nothing: (source) => `En ${source} no hay nada que se pueda copiar.`,
  editMapping: 'Ver y cambiar cada campo',
  editEntity: (entity) => `Campos de ${entity}`,
  checks: 'Corrija esto primero',
  checksAdvice: 'Conviene saber',
  checksPassed: (count) => (count === '1' ? '1 comprobación superada' : `${count} comprobaciones superadas`),
  blocking: 'Hay que corregirlo antes de que pueda empezar la muestra.',
  lookAgain: 'Mirar de nuevo',
  lookingAgain: 'Mirando …',
  checkingAgain: 'Usted ha cambiado algo. Lo estamos comprobando con sus registros …',
  outdated: 'Estos números son de antes de su último cambio.',
  verdict: {
    all: (count) =>
      count === '1' ? 'El único registro se copia entero.' : `Los ${count} registros se copian enteros.`,
    some: (whole, all) => `${whole} de ${all} registros ${whole === '1' ? 'se copia entero' : 'se copian enteros'}.`,
    needs: (count, isOne) => `${count} ${isOne ? 'necesita' : 'necesitan'} una decisión.`,
    rest: (count, isOne) =>
      isOne
        ? `${count} más cambia por el camino o se queda atrás.`
        : `${count} más cambian por el camino o se quedan atrás.`,
    partial: (looked, total) =>
      `Estos números valen para los ${looked} registros que miramos, de ${total}. En el resto puede haber más de lo mismo.`,
  },
  decisions: 'Sus decisiones',
  decisionsText: 'Las mayores pérdidas van primero. Sin una decisión suya, cada una ocurre tal como se describe.',
  staysBehind: 'Registros y valores que se quedan atrás o cambian',
  staysBehindText: 'Aquí no hay que decidir nada.',
  smallChanges: 'Pequeños cambios por el camino',
  smallChangesText: 'El resultado de la migración diría entonces:',
  nothingLost: 'No encontramos nada que se vaya a perder.',
  nothingLostPart: 'No encontramos nada que se vaya a perder en los registros que miramos.',
  recordsOf: (count, isOne) => (isOne ? `${count} registro` : `${count} registros`),
  example: (which) => `Por ejemplo: ${which}`,
  valueTimes: (value, count) => `${value} (${count})`,
  loss: {
    refused: '{destination} exige este campo y está vacío. {destination} rechazaría estos registros.',
    not_protected:
      '{destination} no puede ocultarlos a personas que ahora no los ven. No se copian, salvo que usted lo permita.',
    option_not_offered: '{destination} no ofrece estas opciones. El campo queda vacío.',
    value_does_not_fit: 'Estos valores no caben en el campo de {destination}. Queda vacío.',
    user_kept_as_name:
      'Estas personas aún no tienen cuenta en {destination}. Sus nombres figuran en los registros, como usted eligió.',
    user_not_matched: 'Estas personas no tienen cuenta en {destination}. Los registros llegan sin sus nombres.',
    only_first_kept: '{destination} acepta aquí un solo valor. Solo se copia el primero.',
    text_cut: 'Estos textos son más largos de lo que acepta {destination}. Se cortan.',
    field_not_taken: '{destination} no tiene tal campo. Sus valores no se copian.',
    value_unreadable: 'Algunos valores no se pueden leer, por ejemplo un día que no existe. Se dejan fuera.',
    required_empty: 'A estos registros les falta un campo que deberían tener.',
    row_skipped: 'Estas filas no se pueden leer. Se dejan fuera.',
    duplicate_id: 'Varias filas tienen el mismo identificador. Cada una se convierte en un registro propio.',
    entity_not_taken: '{destination} no acepta registros de este tipo. Se quedan en {source}.',
    file_too_large: 'Estos archivos son mayores de lo que acepta {destination}. Se quedan en {source}.',
    held: 'Pertenecen a registros que no se copian, y quedan a la espera de ellos.',
    parent_missing: 'Pertenecen a algo que no se copia, así que tampoco se copian.',
    merged:
      'Estos registros se unen con otro, por ejemplo con uno del mismo nombre o de la misma dirección. {destination} conserva uno solo para ambos.',
    relation_lost: 'Remiten a registros que no se copian o que {source} no tiene. El enlace se omite.',
    fewer_than_counted:
      '{source} cuenta más registros de los que entrega. Use la clave de un administrador si faltan registros.',
  },
  control: {
    chooseValues: 'Elegir en qué se convierten',
    chooseField: 'Elegir otro campo',
    leaveOut: 'Dejarlo fuera',
    matchPeople: 'Relacionar personas',
    otherFile: 'Subir un archivo corregido',
    defaultFor: (field) => `Valor donde ${field} está vacío`,
    useDefault: 'Usarlo',
    saving: 'Guardando …',
  },
  wholeOf: (whole, all) => `${whole} de ${all} enteros`,
  allWhole: (count) => `los ${count}, enteros`,
  time: 'Cuánto tarda',
  duration: (from, to) =>
    from === to
      ? `Alrededor de ${from}. Mientras tanto puede cerrar la ventana.`
      : `Entre ${from} y ${to}, aproximadamente. Mientras tanto puede cerrar la ventana.`,
  durationMeasured: 'Medido con su muestra.',
  durationByLimits:
    'Estimado a partir de las cifras y los límites de ambas herramientas. Su muestra lo hace más exacto.',
  minutes: (count) => (count === 1 ? '1 minuto' : `${count} minutos`),
  hours: (count, isOne) => (isOne ? `${count} hora` : `${count} horas`),
  unprotected: 'Registros privados',
  unprotectedText: (destination) =>
    `${destination} no puede ocultarlos a personas que ahora no los ven. No se copian, salvo que usted lo permita.`,
  unprotectedOf: (entity, count, isAtLeast) =>
    `${entity}: ${isAtLeast ? 'al menos ' : ''}${count === '1' ? '1 es privado' : `${count} son privados`}`,
  allowUnprotected: (entity) => `Copiar de todos modos los privados: ${entity}`,
  promises: (destination) => `Sobre ${destination}`,
  mayLose: (destination) => `Posibles pérdidas de algunos registros en ${destination}`,
  keepsTimes: {
    yes: 'Las fechas y los autores se conservan.',
    no: 'Las fechas son las de la importación; las originales pasan al texto donde sea posible.',
  },
  keepsTimesInside: (entity, most) =>
    `${entity}: los ${most} primeros de cada registro conservan su fecha y su autor. Los siguientes reciben la fecha de la importación.`,
  sendsNoMail: {
    yes: 'Nadie recibe un correo a causa de la importación.',
    no: 'Puede enviar correos a personas sobre los registros nuevos. Pregunte a su soporte cómo desactivarlo.',
  },
  canUndo: {
    yes: 'Todo se puede deshacer.',
    no: 'No ofrece ninguna manera de quitar lo copiado: no es posible deshacer.',
  },
  largestFile: (size) => `Se aceptan archivos de hasta ${size}.`,
  once: {
    A: 'Nada puede llegar dos veces, pase lo que pase por el camino.',
    B: 'Nada puede llegar dos veces, pase lo que pase por el camino.',
    C: 'Si se corta la conexión, miramos antes de enviar de nuevo, y al final buscamos duplicados.',
    D: 'Si se corta la conexión en mal momento, enumeramos los registros dudosos en vez de enviarlos dos veces.',
  },
  people: 'Personas',
  peopleMatched: (matched, all) =>
    `${matched} de ${all} personas ${matched === '1' ? 'se encontró' : 'se encontraron'} en ambos lados.`,
  peopleNone: (source) => `En ${source} no hay personas que relacionar.`,
  editPeople: 'Ver y relacionar personas',
  sample: 'La muestra gratuita',
  sampleText: (destination) =>
    `Copiamos hasta 20 registros de cada tipo, con sus comentarios y archivos. Elegimos a propósito los menos comunes. Después usted los compara con los originales en ${destination}.`,
  sampleFree: ({ of, left, chosen }, show) =>
    `Las muestras de esta importación son gratuitas para ${show(of)} registros en total. Quedan ${show(left)}.${
      chosen === null ? '' : ` Elegimos hasta ${show(chosen)}, para que después pueda indicar otros.`
    } Repetir una muestra con los mismos registros no gasta ninguno.`,
  named: '¿Quiere que incluya ciertos registros?',
  namedText: 'Indíquelos por su identificador en el origen, uno por línea.',
  namedEntity: 'Tipo de registro',
  namedIds: 'Identificadores, uno por línea',
  start: 'Iniciar la muestra gratuita',
  starting: 'Iniciando la muestra …',
  restart: 'Repetir la muestra con este plan',
  backToReview: 'Volver a la muestra',
  fullNote: 'La migración completa trabaja con lo que usted guarde aquí.',
  toFull: 'Continuar con la migración completa',
  madeAt: (when) => `Visto el ${when}`,
}
