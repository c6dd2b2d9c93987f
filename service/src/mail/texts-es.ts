import { formatAmount } from '../currency.ts'
import { localeOf } from '../languages.ts'
import type { MailTexts } from './templates.ts'

const day = (date: string) =>
  new Intl.DateTimeFormat(localeOf.es, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
const count = (number: number) => number.toLocaleString(localeOf.es)

export const spanish: MailTexts = {
  greeting: 'Buenos días:',
  reason: ({ partner }) =>
    `Recibe este mensaje porque se indicó su dirección para esta importación a ${partner}. Allí puede cambiarla o quitarla.`,
  completed: ({ source, destination }, { records }) => ({
    subject: `Sus datos han llegado a ${destination}`,
    paragraphs: [
      `La migración de ${source} a ${destination} ha terminado: ahora hay allí ${records === 1 ? '1 registro' : `${count(records)} registros`}.`,
      'El informe muestra qué fue de cada registro y si conviene revisar algo.',
    ],
    action: 'Ver el informe',
  }),
  paused: ({ source, destination }, { code, role }) => {
    const account = role === 'source' ? source : destination
    const because =
      code === 'authorization_lost'
        ? `${account} ya no nos deja entrar, así que hay que conectar la cuenta de nuevo.`
        : code === 'look_for_mail'
          ? `Primero se escribió un solo registro. Compruebe si ${destination} ha enviado algún correo por ello, antes de que siga el resto.`
          : code === 'source_page_failing'
            ? `${source} no consigue entregar una página de registros, una y otra vez. Pida a quien lo administra que lo repare. O salte la página: sus registros quedan fuera y todo lo demás se copia.`
            : code === 'records_not_paid'
              ? `${source} tiene más registros de los que están pagados. Pague el resto, pida que se pague o termine sin él.`
              : 'Algo necesita su decisión o su ayuda. La página de su importación dice qué.'
    return {
      subject: `Su migración a ${destination} le está esperando`,
      paragraphs: [
        `La migración de ${source} a ${destination} ${code === 'source_page_failing' ? 'no avanza' : 'está en pausa'}.`,
        because,
        'No se ha perdido nada: continúa desde donde está.',
      ],
      action: 'Abrir la importación',
    }
  },
  undone: ({ source, destination }, { kept }) => ({
    subject: `La migración a ${destination} se ha deshecho`,
    paragraphs: [
      `Lo que se copió de ${source} a ${destination} se ha quitado de allí. En ${source} no se ha cambiado nada.`,
      ...(kept === 0
        ? []
        : [
            `${kept === 1 ? '1 registro se conservó' : `${count(kept)} registros se conservaron`}, por ejemplo porque alguien los cambió allí después. La página de su importación enumera lo que se quedó.`,
          ]),
    ],
    action: 'Abrir la importación',
  }),
  receipt: ({ source, destination }, { amount, currency, package: name, invoice }) => ({
    subject: `Su recibo de la migración a ${destination}`,
    paragraphs: [
      `Hemos recibido ${formatAmount(amount, currency, 'es')} por la migración completa de ${source} a ${destination}, paquete ${name}${invoice === null ? '' : `, factura ${invoice}`}. Gracias.`,
      'Ya puede empezar; usted decide cuándo.',
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
    subject: `Le devolvemos su dinero de la migración a ${destination}`,
    paragraphs: [
      `Hemos devuelto ${formatAmount(amount, currency, 'es')} por la misma vía por la que usted pagó. Según su banco, tarda unos días.`,
      ...(because === 'partner_pays' ? [`${partner} paga la migración.`] : []),
      ...(because === 'paid_twice' ? ['Ya estaba pagada.'] : []),
    ],
    action: 'Abrir la importación',
  }),
}
