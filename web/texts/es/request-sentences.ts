/** Translations of the service's sentences about refused input. `{}` is a placeholder for a value. */
export const requestSentences: Record<string, string> = {
  'could not be reached. Please check the address, or try again in a while.':
    'Nadie responde en esta dirección. Compruebe la dirección o vuelva a intentarlo más tarde.',
  'could not be reached: {} {}': 'El acceso fue rechazado: {} {}',
  'does not let us in with this. Please check what you entered, and that it may read and write.':
    'Con estos datos no podemos entrar. Compruebe lo que ha escrito y que permita leer y escribir.',
  'is not an allowed address: it must be publicly reachable':
    'Esta dirección no está permitida: debe ser accesible públicamente.',
  'is not the account of the records that were copied ({}), so nothing was changed. Undo the import first, then connect it.':
    'Esta no es la cuenta de los registros copiados ({}). No se ha cambiado nada. Deshaga primero la importación y conéctela después.',
  'does not offer a sign-in from here': 'Desde aquí no se puede iniciar sesión ahí.',
  'answered, but not as a destination of Wherry does. Please check the address.':
    'Responde otra cosa que no es el destino. Compruebe la dirección.',
  'The tool answered {} {} and sends us on{}. We do not follow, so that data goes only where you said. If the tool has moved, please connect it again with its new address.':
    'La herramienta respondió {} {} y nos remite a otro sitio. No vamos allí, para que los datos solo lleguen adonde usted dijo. Si la herramienta se ha trasladado, conéctela con su nueva dirección.',
  'Fernhill Desk does not accept this API key.': 'Fernhill Desk no acepta esta clave de API.',
  'Request Tracker does not accept this token.': 'Request Tracker no acepta este token.',
  'The token belongs to a user who does not see everything. Use one of a user with the right SuperUser.':
    'El token es de alguien que no lo ve todo. Use el de una persona con el permiso SuperUser.',
  'There is no Request Tracker 5 at this address.': 'En esta dirección no hay ningún Request Tracker 5.',
  'This is Request Tracker {}; version 5 is needed.': 'Es Request Tracker {}; hace falta la versión 5.',
  'There is no Redmine at this address, or its REST API is switched off.':
    'En esta dirección no hay ningún Redmine, o su API REST está desactivada.',
  'There is something else than a Redmine at this address.': 'En esta dirección hay otra cosa que no es un Redmine.',
  'This API key belongs to someone who is no administrator, and does not see everything.':
    'Esta clave de API es de alguien que no es administrador y no lo ve todo.',
  'The address lacks the name of the database: write it at the end, as in https://tryton.example.com/company.':
    'En la dirección falta el nombre de la base de datos: escríbalo al final, como en https://tryton.example.com/company.',
  'The address must begin with https:// and end with the name of the database.':
    'La dirección debe empezar por https:// y terminar con el nombre de la base de datos.',
  'This Tryton has no parties: its module "party" is not active.':
    'Este Tryton no tiene terceros: su módulo «party» no está activo.',
  'This is Ghost {}. Please update it to Ghost 6 or later first.':
    'Es Ghost {}. Actualícelo primero a Ghost 6 o posterior.',
  'This is not a key of the Admin API (id:secret).': 'Esta no es una clave de la API de administración (id:secret).',
  'This user may not do everything that an import needs ({}). Please use an administrator.':
    'Este usuario no puede hacer todo lo que necesita una importación ({}). Use el de un administrador.',
  'Please upload the files that you want to import.': 'Suba los archivos que quiere importar.',
  'we cannot tell what the rows are. Choose what each file holds, or name the files after their content, such as contacts.csv.':
    'No se sabe qué son las filas. Elija qué contiene cada archivo, o dele un nombre acorde, como contacts.csv.',
  'The zip file is damaged.': 'El archivo zip está dañado.',
  'Make the zip again and upload it.': 'Vuelva a crear el zip y súbalo.',
  'The zip has {} entries; at most {} are read.': 'El zip tiene {} elementos; se leen {} como máximo.',
  'Put fewer files into it, or join those of one kind.': 'Ponga menos archivos o junte los del mismo tipo.',
  'This file unpacks to far more than its size and is not read.':
    'Este archivo ocupa mucho más al descomprimirse y no se lee.',
  'If it really is your table, upload it by itself, without a zip.': 'Si de verdad es su tabla, súbala sola, sin zip.',
  'Archives in archives are not read.': 'No se leen archivos comprimidos dentro de otros.',
  'Unpack it, and put its files into the zip.': 'Descomprímalo y ponga sus archivos en el zip.',
  'Line {}: the row has more than {} values.': 'Línea {}: la fila tiene más de {} valores.',
  'Check that this is the right file.': 'Compruebe si es el archivo correcto.',
  'Tables may have up to 500 columns.': 'Las tablas pueden tener hasta 500 columnas.',
  'This file has no rows.': 'Este archivo no tiene filas.',
  'This workbook has no rows.': 'Este libro no tiene filas.',
  'Export your data again, and check the file before you upload it.':
    'Vuelva a exportar sus datos y mire el archivo antes de subirlo.',
  'Check the file before you upload it.': 'Mire el archivo antes de subirlo.',
  'This is {}, and not a CSV file.': 'No es un archivo CSV.',
  'Export your data as CSV and upload the CSV file, or a zip of several.':
    'Exporte sus datos como CSV y suba el archivo CSV, o varios en un zip.',
  'This is a document of an office program that is not read.': 'Es un documento de ofimática que no se lee.',
  'This workbook cannot be read.': 'Este libro no se puede leer.',
  'It may be damaged, or have a password.': 'Puede estar dañado o tener una contraseña.',
  'This workbook is too large to be read at once.': 'Este libro es demasiado grande para leerlo de una vez.',
  'could not be read: a tool does not answer. Please try again.':
    'No se pudo mirar: una herramienta no responde. Vuelva a intentarlo.',
  'could not be read: a tool allows no more requests for now. Please try again later.':
    'No se pudo mirar: una herramienta no permite más peticiones por ahora. Vuelva a intentarlo más tarde.',
  'could not be read within a minute: a tool or this service is busy. Please try again.':
    'No se pudo mirar en un minuto: una herramienta o este servicio está ocupado. Vuelva a intentarlo.',
  'could not be read: the address of a tool is no longer allowed. Please connect it again.':
    'No se pudo mirar: la dirección de una herramienta ya no está permitida. Vuelva a conectarla.',
  'The source no longer has this record.': 'El origen ya no tiene este registro.',
  'can name {} more: samples of an import are free for {} records in all, and {} are used':
    'Puede nombrar {} más: las muestras de una importación son gratuitas para {} registros en total, y {} ya están usados.',
  'covers up to {} records, and the plan now has {}: leave some out, or pay the difference':
    'El pago cubre hasta {} registros y el plan tiene ahora {}: deje algunos fuera o pague la diferencia.',
  'This import could be undone until {}. The access to both accounts was erased then.':
    'Esta importación se podía deshacer hasta {}. Después se borró el acceso a ambas cuentas.',
  '{} no longer offers imports: nothing new can be started. What was copied can be undone.':
    '{} ya no ofrece importaciones: no se puede empezar nada nuevo. Lo copiado se puede deshacer.',
  'is not needed: the partner pays': 'No hace falta: paga el proveedor.',
  'is no longer needed: look at who pays now': 'Ya no hace falta: mire quién paga ahora.',
  'is not possible yet: the partner has not decided whether to pay':
    'Aún no es posible: el proveedor no ha decidido si paga.',
  'is not possible now: it is paid already, or the plan is not finished':
    'Ahora no es posible: ya está pagado o el plan no está terminado.',
  'cannot be cancelled: no payment is open': 'No hay nada que cancelar: no hay pagos pendientes.',
  'must be one e-mail address, such as you@example.com': 'Indique una dirección de correo, como usted@example.com.',
  'must be an e-mail address': 'No es una dirección de correo.',
  'must be a tax number of 4 to 20 characters': 'Un número fiscal tiene de 4 a 20 caracteres.',
  'must not be longer than {} characters': 'Como máximo {} caracteres.',
  'must be at most {} characters long': 'Como máximo {} caracteres.',
  'must have at most {} characters': 'Como máximo {} caracteres.',
  'must have 1 to {} characters': 'Escriba de 1 a {} caracteres.',
  'must be one of {}': 'Valores posibles: {}.',
  'has no place in the destination: choose one under Match your fields':
    'El campo no tiene sitio en el destino: elija uno en la asignación de campos.',
  'is filled by {} already': 'Este sitio ya lo ocupa {}.',
  'is filled by {}: leave that field out or send it elsewhere first':
    'Este sitio lo ocupa {}: deje fuera ese campo o envíelo antes a otro sitio.',
  'is filled by several fields together': 'Este sitio lo ocupan varios campos juntos.',
  'the destination has no such field': 'El destino no tiene este campo.',
  'the source has no such field': 'El origen no tiene este campo.',
  'several fields fit only into a text': 'Varios campos solo caben en un texto.',
  'the destination requires this field: send another field there, or set a default':
    'El destino exige este campo: envíe otro campo ahí, o un valor fijo.',
  'does not fit: {} refers to another kind of record': 'No encaja: {} lleva a otro tipo de registro.',
  'this field holds no text that could be changed': 'Este campo no contiene texto que se pueda cambiar.',
  'this field controls who may see a record: choose under values what each value becomes':
    'Este campo dice quién puede ver un registro: indique en qué se convierte cada valor.',
  'a text with formatting can be changed only on its way into a plain text field':
    'Un texto con formato solo se puede cambiar de camino a un campo de texto sencillo.',
  'cannot be kept before the destination is connected': 'Solo es posible cuando el destino está conectado.',
  'there is nothing to keep: the mapping is as suggested': 'No hay nada que guardar: la asignación es la propuesta.',
  'cannot be kept: there are {} already. Replace one of them.': 'No se pueden guardar más de {}. Sustituya una.',
  'cannot be kept: too many people have given a name':
    'No se puede guardar el nombre: ya lo han dado demasiadas personas.',
}
