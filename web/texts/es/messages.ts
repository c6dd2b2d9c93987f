import type { messages as en } from '../en/messages.ts'

export const messages: typeof en = {
  title: 'Mensajes',
  intro: 'Nuestros mensajes para usted sobre esta importación, el más reciente primero.',
  introUnsent: 'Este servicio no envía correo. Aquí se guardan sus mensajes, el más reciente primero.',
  noneUnsent:
    'Este servicio no envía correo, así que no hay mensajes. Vuelva a esta página para ver cómo va la importación.',
  none: 'Todavía no hay mensajes. Escribimos cuando la migración termina, cuando le necesita y cuando se ha deshecho.',
  to: (address) => `a ${address}`,
  states: { waiting: 'Aún sin enviar', sent: 'Enviado', given_up: 'No se pudo enviar' },
  unsent: 'Guardado aquí',
  trouble: 'El servidor de correo respondió',
  tellMe: {
    heading: 'Avisarme cuando termine',
    headingUnsent: 'Cuando termine',
    text: 'También escribimos si la importación le necesita. No enviamos nada más.',
    textUnsent:
      'Este servicio no envía correo. Vuelva a esta página para ver cómo va la importación. Continúa con la página cerrada.',
    label: 'Su dirección de correo',
    invalid: 'Indique una dirección de correo, como usted@example.com.',
    submit: 'Avisarme',
    submitting: 'Guardando…',
    told: (address) => `Escribimos a ${address} cuando termine, o si le necesita.`,
    change: 'Cambiar la dirección',
    remove: 'No enviar mensajes',
    removing: 'Quitando…',
    keep: 'Dejarla como está',
  },
}
