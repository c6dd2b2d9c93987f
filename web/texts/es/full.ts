import type { full as en } from '../en/full.ts'

export const full: typeof en = {
  title: 'La migración completa',
  intro: (source, destination) =>
    `Todo lo que está en su plan se copia de ${source} a ${destination}. La muestra que ya está allí se conserva y se completa.`,
  titleByItself: 'Preparando la migración completa',
  introByItself: (source, destination) =>
    `Primero leemos ${source} y hacemos un plan. Después copiamos todo a ${destination}. La copia empieza sola; no tiene que esperar aquí.`,
  seePlan: 'Ver el plan',
  willCopy: 'Qué se copiará',
  about: (count) => `unos ${count} registros`,
  whoPays: 'Quién paga',
  accepted: (partner) => `${partner} paga. A usted no le cuesta nada.`,
  paid: 'Está pagada.',
  undecided: (partner) => `${partner} todavía no ha decidido si la paga.`,
  ask: (partner) => `Pedir a ${partner} que pague`,
  asking: 'Preguntando…',
  asked: (partner, when) =>
    `Usted se lo pidió a ${partner} el ${when}. En cuanto haya respuesta, esta página la muestra; mientras tanto puede cerrarla.`,
  rejected: (partner) => `${partner} no la paga, así que puede comprarla aquí.`,
  notYet: (partner) => `Podrá iniciarla en cuanto ${partner} acepte pagar o usted haya pagado.`,
  notPaid: 'Podrá iniciarla en cuanto esté pagada.',
  start: 'Iniciar la migración completa',
  starting: 'Iniciando…',
  back: 'Volver a la muestra',
  plan: 'Ver el plan otra vez',
  safe: (source) =>
    `En ${source} no se cambia ni se borra nada. Puede pausar en cualquier momento y deshacerla después.`,
  safeNoUndo: (source) => `En ${source} no se cambia ni se borra nada. Puede pausar en cualquier momento.`,
}
