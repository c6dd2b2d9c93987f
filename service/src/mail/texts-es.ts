import { formatAmount } from '../currency.ts'
import { localeOf } from '../languages.ts'
import type { MailTexts } from './templates.ts'

const day = (date: string) =>
  new Intl.DateTimeFormat(localeOf.es, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
const count = (number: number) => number.toLocaleString(localeOf.es)

export const spanish: MailTexts = {
  greeting: 'Buenos días:',
  reason: ({ partner }) =>
    `Recibe este mensaje porque se indicó su dirección para esta importación a ${partner}. En el portal de la importación puede cambiarla o quitarla.`,
  completed: ({ source, destination }, { records }) => ({
    subject: `Sus datos han llegado a ${destination}`,
    paragraphs: [
      `La migración de ${source} a ${destination} ha terminado: ahora hay allí ${records === 1 ? '1 registro' : `${count(records)} registros`}.`,
      'El informe muestra el resultado de cada registro y los registros que requieren su atención.',
    ],
    action: 'Ver el informe',
  }),
  paused: ({ source, destination }, { code, role }) => {
    const account = role === 'source' ? source : destination
    const because =
      code === 'authorization_lost'
        ? `${account} ya no nos deja entrar. Conecte la cuenta de nuevo.`
        : code === 'look_for_mail'
          ? `Primero copiamos un solo registro. Compruebe si ${destination} ha enviado algún correo por ello. El resto espera hasta que usted continúe.`
          : code === 'source_page_failing'
            ? `${source} sigue sin poder entregar una página de registros. Pida a quien lo administra que lo repare. O salte la página: sus registros quedan fuera y todo lo demás se copia.`
            : code === 'records_not_paid'
              ? `${source} tiene más registros de los que están pagados. Pague el resto, pida al socio que lo pague o termine sin él.`
              : 'La importación necesita su decisión o su ayuda. El portal dice qué hacer.'
    return {
      subject: `Su migración a ${destination} le está esperando`,
      paragraphs: [
        `La migración de ${source} a ${destination} ${code === 'source_page_failing' ? 'no avanza' : 'está en pausa'}.`,
        because,
        'No se ha perdido nada: la migración continúa desde donde se detuvo.',
      ],
      action: 'Abrir la importación',
    }
  },
  undone: ({ source, destination }, { kept }) => ({
    subject: `La migración a ${destination} se ha deshecho`,
    paragraphs: [
      `Hemos quitado de ${destination} los registros copiados. En ${source} no se ha cambiado nada.`,
      ...(kept === 0
        ? []
        : [
            `${kept === 1 ? '1 registro se conservó' : `${count(kept)} registros se conservaron`}, por ejemplo porque alguien los cambió allí después. El portal de su importación enumera los registros conservados.`,
          ]),
    ],
    action: 'Abrir la importación',
  }),
  receipt: ({ source, destination }, { amount, currency, package: name, invoice }) => ({
    subject: `Su recibo de la migración a ${destination}`,
    paragraphs: [
      `Hemos recibido ${formatAmount(amount, currency, 'es')} por la migración completa de ${source} a ${destination}, paquete ${name}${invoice === null ? '' : `, factura ${invoice}`}. Gracias.`,
      'Puede iniciar la migración cuando quiera.',
    ],
    action: 'Iniciar la migración completa',
  }),
  invoice: ({ source, destination }, { amount, currency, number, due }) => ({
    subject: `Factura ${number} de la migración a ${destination}`,
    paragraphs: [
      `La factura ${number} de ${formatAmount(amount, currency, 'es')} por la migración completa de ${source} a ${destination} está lista. Puede pagarla hasta el ${day(due)}.`,
      'En cuanto llegue el dinero, puede empezar.',
    ],
    action: 'Descargar la factura',
  }),
  refunded: ({ partner, destination }, { amount, currency, because }) => ({
    subject: `Reembolso de la migración a ${destination}`,
    paragraphs: [
      `Hemos devuelto ${formatAmount(amount, currency, 'es')} por la misma vía por la que usted pagó. Según su banco, tarda unos días.`,
      ...(because === 'partner_pays' ? [`${partner} paga la migración.`] : []),
      ...(because === 'paid_twice' ? ['La migración ya estaba pagada.'] : []),
    ],
    action: 'Abrir la importación',
  }),
}
