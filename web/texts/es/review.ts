import type { review as en } from '../en/review.ts'

export const review: typeof en = {
  intro: (destination) =>
    `Compare lo que llegó con los originales. No se copia nada más hasta que usted lo diga. También puede mirar en ${destination} directamente.`,
  records: 'Comparar registro por registro',
  recordsText: 'Marque lo que está bien y señale lo que no. Sus colegas ven las mismas marcas.',
  entities: 'Tipos de registros',
  list: 'Registros de la muestra',
  previous: 'Anterior',
  next: 'Siguiente',
  position: (at, all) => `${at} de ${all}`,
  looking: 'Leyéndolo en ambas herramientas …',
  field: 'Campo',
  inSource: (source) => `En ${source}`,
  mapped: 'Tal como lo convertimos',
  stored: (destination) => `Ahora en ${destination}`,
  openSource: (source) => `Abrir en ${source}`,
  openDestination: (destination) => `Abrir en ${destination}`,
  notStored: 'No está allí.',
  notMapped: 'Está a la espera de un registro al que pertenece.',
  differs: 'distinto',
  agrees: 'Lo que se leyó de nuevo coincide con lo que enviamos.',
  differences: (count) =>
    count === 1 ? '1 campo no está como lo enviamos.' : `${count} campos no están como los enviamos.`,
  linkedLater: 'se enlaza cuando se copie',
  empty: 'vacío',
  yes: 'sí',
  no: 'no',
  created: 'Creado',
  updated: 'Cambiado',
  lost: 'Qué cambia por el camino',
  fine: 'Está bien',
  flag: 'Hay algo mal',
  marked: { fine: 'está bien', flagged: 'señalado' },
  marking: 'Guardando su marca …',
  flaggedNote: (count) =>
    count === 1
      ? 'Usted señaló 1 registro. Cambie la correspondencia y repita la muestra, o continúe si le parece aceptable.'
      : `Usted señaló ${count} registros. Cambie la correspondencia y repita la muestra, o continúe si le parece aceptable.`,
  noRecords: 'En la muestra no hay nada de este tipo.',
  goOn: 'Continuar con la migración completa',
  change: 'Cambiar la correspondencia y repetir',
  undo: 'Deshacer la muestra',
}
