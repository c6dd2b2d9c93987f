import type { pay as en } from '../en/pay.ts'

const letters = 'Use letras latinas, griegas o cirílicas.'

export const pay: typeof en = {
  cost: 'Cuánto cuesta la migración completa',
  counting: 'Le decimos el precio en cuanto esté todo contado.',
  ifYou: (partner) =>
    `Este es el precio si la paga usted mismo. Puede que la pague ${partner}. Eso se decide después de la muestra.`,
  ifYouNow: 'Esto es lo que cuesta si la paga usted mismo.',
  waitsFor: (partner) => `Puede comprarla aquí en cuanto ${partner} haya respondido.`,
  noWay: (partner) =>
    `Todavía no puede comprarla aquí: no hay ninguna forma de pago configurada. Pregunte a ${partner}. Mientras tanto no se pierde nada.`,
  youPay: 'La muestra es gratuita. Solo paga si quiere el resto.',
  difference: (price) => `Esta es la diferencia: el paquete cuesta ${price}, y usted ha pagado uno más pequeño.`,
  package: (name) => `Paquete ${name}`,
  upTo: (records) => `hasta ${records} registros`,
  any: 'cualquier número de registros',
  why: (records, parts) => `En su plan cuentan ${records} registros: ${parts}.`,
  whyNone: 'En su plan aún no hay registros que cuenten.',
  whyAbout: (records, parts) => `En su plan cuentan unos ${records} registros: ${parts}.`,
  sponsored: (partner, records) => `${partner} paga ${records} de ellos.`,
  free: 'Los comentarios, los archivos y todo lo demás que les pertenece se copian sin contarse.',
  filters:
    'Ha cambiado sus filtros desde que contamos, así que este es el precio de todo. Pulse «Mirar de nuevo» para que contemos otra vez.',
  holds: (days) =>
    `Cuando vaya a pagar, el precio se mantiene durante ${days === 1 ? '1 día' : `${days} días`}, aunque sus datos crezcan hasta una cuarta parte más allá del paquete.`,
  held: (when) => `Este precio se mantiene hasta el ${when}.`,
  allPackages: 'Todos los paquetes',
  choose: '¿Cómo quiere pagar?',
  ways: {
    stripe: {
      label: 'Con tarjeta',
      text: 'Paga enseguida en una página de Stripe, nuestro proveedor de pagos, y puede empezar justo después.',
    },
    invoice: { label: 'Con factura', text: 'Recibe una factura en PDF. Puede empezar cuando haya llegado el dinero.' },
  },
  payCard: (amount) => `Pagar ${amount} con tarjeta`,
  opening: 'Abriendo el pago…',
  getInvoice: (amount) => `Recibir una factura de ${amount}`,
  writing: 'Preparando la factura…',
  failed: 'No se pudo abrir el pago. No se ha cobrado nada. Inténtelo de nuevo dentro de un momento.',
  changed: 'Mientras tanto algo ha cambiado. La página muestra la situación actual.',
  billing: '¿Para quién es la factura?',
  fields: {
    name: 'Su nombre',
    company: 'Empresa',
    street: 'Calle y número',
    postal_code: 'Código postal',
    city: 'Ciudad',
    region: 'Provincia o región',
    country: 'País',
    vat_id: 'NIF/IVA',
    email: 'Dirección de correo',
  },
  optional: 'si la hay',
  emailHint: 'Allí se envían la factura y el recibo.',
  chooseCountry: 'Elija un país',
  blank: 'Rellene este campo.',
  wrong: {
    name: letters,
    company: letters,
    street: letters,
    postal_code: 'Esto no es un código postal.',
    city: letters,
    region: letters,
    country: 'Elija un país.',
    vat_id: 'Esto no es un NIF/IVA: tiene entre 4 y 20 letras y cifras.',
    email: 'Esto no es una dirección de correo.',
  },
  openCard: (amount, until) => `Hay un pago de ${amount} abierto hasta el ${until}. Todavía no se ha cobrado nada.`,
  goOn: 'Continuar con el pago',
  otherWay: 'Pagar de otra forma',
  leaving: 'Cerrando…',
  openInvoice: (number, amount, until) =>
    `La factura ${number} de ${amount} se puede pagar hasta el ${until}. En cuanto llegue el dinero, esta página lo muestra y usted puede empezar. Mientras tanto puede cerrarla.`,
  creditNote: (number) => `Descargar la factura rectificativa ${number}`,
  download: 'Descargar la factura',
  expired: 'El proceso de pago terminó sin pago. No se ha cobrado nada.',
  cancelledInvoice: (number) => `La factura ${number} se anuló. Ya no la pague.`,
  calledOff: 'El proceso de pago se cerró. No se ha cobrado nada.',
  paid: (amount, when) => `Pagado: ${amount} el ${when}. Gracias.`,
  refundDue: (amount) => `Le devolvemos su pago de ${amount}.`,
  refunded: (amount) => `Le hemos devuelto su pago de ${amount}. Según su banco, tarda unos días en llegar.`,
  because: {
    partner_pays: (partner) => `${partner} paga la migración.`,
    paid_twice: 'Ya estaba pagada.',
  },
  waitingTitle: 'A la espera de su pago',
  waiting:
    'Gracias. Estamos a la espera de la confirmación del pago. Suele tardar unos segundos, y esta página continúa sola.',
  waitingLong:
    'Puede cerrar esta ventana: no se pierde nada, y puede volver en cualquier momento. Algunos bancos tardan unos días.',
  backToFull: 'Atrás',
  acceptedAll: (partner) => `${partner} paga las migraciones completas de sus clientes. A usted no le cuesta nada.`,
  acceptedUpTo: (partner, limit, records) =>
    `${partner} paga hasta ${limit} registros, y su plan tiene ${records}. A usted no le cuesta nada.`,
  rejectedAll: (partner) => `Los clientes de ${partner} pagan ellos mismos la migración completa.`,
  rejectedBudget: (partner) =>
    `El presupuesto de ${partner} para este mes ya no alcanza para su migración. Puede comprarla usted.`,
  rejectedUpTo: (partner, limit, records) =>
    `${partner} paga hasta ${limit} registros. Su plan tiene ${records}. Puede comprar la migración, o excluir algunos registros y mirar de nuevo.`,
  askUpTo: (partner, limit, records) =>
    `${partner} paga por sí mismo hasta ${limit} registros. Su plan tiene ${records}, así que decide ${partner}.`,
  partnerPage: (partner) => `Lo que dice ${partner} sobre las migraciones completas`,
  askAndGo: (partner) => `Después se abre la página de ${partner} sobre las migraciones completas.`,
  more: {
    heading: 'Más registros de los que están pagados',
    copied: (moved, covered) => `Se copiaron ${moved} registros. Lo pagado alcanza para ${covered}.`,
    copiedOf: (moved, counted, covered) =>
      `Se copiaron ${moved} de ${counted} registros. Lo pagado alcanza para ${covered}.`,
    safe: 'Todo lo copiado hasta ahora está a salvo. La migración continúa en cuanto se pague el resto.',
    ask: (partner) => `Pedir a ${partner} que pague el resto`,
    asking: 'Preguntando…',
    asked: (partner) => `Se ha pedido a ${partner} que pague el resto.`,
    finish: (covered) => `Terminar con ${covered} registros`,
    finishing: 'Continuando…',
    pay: 'Pagar el resto',
    note: 'La migración continúa en cuanto esto se pague.',
  },
}
