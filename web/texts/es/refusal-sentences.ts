/** Translations of the service's sentences when it refuses a request. `{}` is a placeholder for a value. */
export const refusalSentences: Record<string, string> = {
  'There is no such import.': 'No existe esa importación.',
  'There is no such run.': 'No existe esa ejecución.',
  'There is no such account.': 'No existe esa cuenta.',
  'There is no such record in this import.': 'No existe ese registro en esta importación.',
  'There is no such version.': 'No existe esa versión.',
  'There is no such mapping of this account.': 'No existe esa asignación en esta cuenta.',
  'There is no certificate yet: it is made when a migration or an undo is finished.':
    'Todavía no hay certificado: se emite cuando termina una migración o una anulación.',
  'There is no invoice for this import.': 'No hay factura para esta importación.',
  'There is no credit note for this import.': 'No hay nota de crédito para esta importación.',
  'This import has ended already.': 'Esta importación ya ha terminado.',
  'This import is open in too many windows.': 'Esta importación está abierta en demasiadas ventanas.',
  'This import was cancelled, so there is nothing left to do here. {} can tell you more, or start a new one.':
    'Esta importación se canceló; aquí no queda nada por hacer. {} puede decirle más o empezar otra.',
  'This import was closed and archived, so there is nothing left to do here. {} can tell you more.':
    'Esta importación se cerró y archivó; aquí no queda nada por hacer. {} puede decirle más.',
  'This link opens no import. Please open it again from where you got it.':
    'Este enlace no abre ninguna importación. Ábralo de nuevo desde donde lo recibió.',
  'Too many invalid links were tried from your network. Please try again soon.':
    'Desde su red se probaron demasiados enlaces no válidos. Vuelva a intentarlo pronto.',
  'Please upload it again.': 'Súbalo de nuevo.',
  'The payment provider does not answer correctly. Please try again shortly.':
    'El proveedor de pagos no responde como debería. Vuelva a intentarlo en breve.',
  'The client id for {} was removed, so its accounts cannot be kept open.':
    'Se quitó el acceso de este servicio a {}. Sus cuentas no se pueden mantener abiertas.',
  'cannot be connected: our connector for {} failed. Nothing was changed. Please tell support.':
    'La cuenta no se puede conectar: nuestro conector para {} ha fallado. No se ha cambiado nada. Avise al servicio de asistencia.',
  'cannot be connected: there is no connector for {}': 'La cuenta no se puede conectar: no hay conector para {}.',
  'takes {} data, and this import brings {} data. Please check the address.':
    'El destino acepta datos de tipo {} y esta importación trae datos de tipo {}. Compruebe la dirección.',
  "can't be blank": 'Rellene este campo.',
  'must be true if it is the same account at a new address or under a new name':
    'Confirme que es la misma cuenta con otra dirección u otro nombre.',
  'has been decided already: it was {}': 'Ya está decidido ({}).',
  accepted: 'aceptado',
  rejected: 'rechazado',
  'can no longer be asked for: the full migration has started':
    'Ya no se puede pedir: la migración completa ha empezado.',
  'there is no such person in the destination': 'No existe esa persona en el destino.',
  'there is no such person in the source': 'No existe esa persona en el origen.',
  'has no name in the source that could be kept':
    'Esta persona no tiene en el origen un nombre que se pueda conservar.',
  'finds nothing to remove: the source still has every copied record':
    'No hay nada que quitar: el origen conserva todos los registros copiados.',
  'does not allow this now: the run is not stuck at anything to skip': 'Ahora no es posible: no hay nada que omitir.',
  'does not allow this now: the sample comes first': 'Ahora no es posible: primero va la muestra.',
  'does not allow this now: nothing is under way': 'Ahora no es posible: no hay nada en marcha.',
  'does not allow this now: nothing is paused, or support has paused it':
    'Ahora no es posible: no hay nada en pausa, o lo ha puesto en pausa el soporte.',
  'does not allow this now: {}': 'No es posible en el estado actual: {}.',
  'Collecting credentials': 'a la espera de las dos cuentas',
  'Waiting to start sample migration': 'lista para la muestra',
  'Sample migration in progress': 'muestra en curso',
  'Sample migration completed': 'muestra terminada',
  'In preparation': 'lista para la migración completa',
  'Migration in progress': 'migración completa en curso',
  'Migration completed': 'migración terminada',
  'Undo in progress': 'deshaciendo',
  'Migration cleaned': 'deshecha',
  'is missing: the full migration starts when the partner has accepted to pay or the purchase is paid':
    'La migración completa empieza cuando el proveedor acepta pagar o usted ha pagado.',
  'is not finished, so the price is not known. Wait until it is done, or look again, and then start':
    'El plan aún no está listo, así que todavía no se conoce el precio. Espere a que termine, o vuelva a mirar, y después inicie.',
  'is missing: the partner’s budget for this month has no room for it':
    'El presupuesto del proveedor para este mes ya no alcanza. Puede comprar la migración.',
  'must be 1 for the first part, or -1 for the last': '1 es la primera parte y -1 la última.',
  'must be a day or a moment, such as 2026-01-31 or 2026-01-31T08:00:00Z':
    'Indique un día o un momento, como 2026-01-31 o 2026-01-31T08:00:00Z.',
  'must not hold {}': 'Esto no es posible aquí: {}.',
  'must be {} or another of its kind': 'Se admite {} u otro del mismo tipo.',
  'is of a type that is not accepted here': 'Un valor de este tipo no es posible aquí.',
  'is no field whose value can be typed': 'El valor de este campo no se puede escribir.',
  'the source has no field {}': 'El origen no tiene ningún campo {}.',
  '{} is no text and cannot be part of one': '{} no es un texto y no puede formar parte de uno.',
  'is not one of the fields': 'No existe ese campo.',
  'does not fit: {} cannot become {}': 'No encaja: {} no puede convertirse en {}.',
  'a text': 'un texto',
  'a long text': 'un texto largo',
  'a text with formatting': 'un texto con formato',
  'a whole number': 'un número entero',
  'a number': 'un número',
  'yes or no': 'sí o no',
  'a day': 'un día',
  'a moment': 'un momento',
  'a choice': 'una opción',
  'an e-mail address': 'una dirección de correo',
  'a phone number': 'un número de teléfono',
  'a web address': 'una dirección web',
  'an amount of money': 'un importe',
  'a postal address': 'una dirección postal',
  'a person': 'una persona',
  'a link to a record': 'un enlace a un registro',
  'at most {} records can be corrected one by one.': 'Como mucho {} registros se pueden corregir uno por uno.',
  'Change the values in the source, or under Match your fields':
    'Cambie los valores en el origen o en la asignación de campos.',
  'is not an entity of {}': 'Ese tipo de registro no existe ahí ({}).',
  'does not fit a field that holds {}': 'No encaja en este campo, que contiene {}.',
  'is no day of the calendar': 'Ese día no existe.',
  'must be before created_before': 'El inicio debe ser anterior al final.',
  'is not the newest: someone saved version {} meanwhile': 'Entretanto alguien guardó la versión {}.',
  'cannot be kept: there are {} already. Remove one of them first.':
    'No se pueden guardar más de {}. Quite antes una de ellas.',
  'cannot be printed on our invoices: please use Latin, Greek or Cyrillic letters':
    'No se puede imprimir en las facturas: use letras latinas, griegas o cirílicas.',
  'must be a country, by its two letters': 'Elija un país.',
  'has not been given yet, so there is nothing to confirm':
    'Aún no se ha indicado nada, así que no hay nada que confirmar.',
  'is not there yet: both accounts are looked at first. Please wait a moment.':
    'Aún no está: primero se examinan ambas cuentas. Espere un momento.',
  'is missing: no way to pay is set up yet': 'Aún no hay ninguna forma de pago configurada.',
  'at most {} at once': 'Como mucho {} a la vez.',
  'cannot be read: {} {}': 'No se puede leer: {} {}',
  'must be at most {} characters, without control characters':
    'Se admiten como mucho {} caracteres, sin caracteres de control.',
  '{}; several are separated by semicolons': '{}; varios se separan con punto y coma',
  'must be a text': 'Se espera un texto',
  'must be a whole number': 'Se espera un número entero',
  'must be a number, such as 12.5': 'Se espera un número como 12.5',
  'must be true or false': 'Se espera true o false',
  'must be a day, such as 2024-12-31': 'Se espera un día como 2024-12-31',
  'must be a moment, such as 2024-12-31T23:59Z': 'Se espera un momento como 2024-12-31T23:59Z',
  'must be an address, such as https://acme.example': 'Se espera una dirección como https://acme.example',
  'must not contain control characters': 'No se admiten caracteres de control.',
}
