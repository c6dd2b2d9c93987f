/** Translations of the service's sentences about single records. `{}` is a placeholder for a value. */
export const recordSentences: Record<string, string> = {
  'It has been changed since it was imported.': 'El registro se ha cambiado desde la importación.',
  'Other people or programs have added messages to it since it was imported.':
    'Otras personas o programas le han añadido mensajes desde la importación.',
  'People have changed it since it was imported.': 'Alguien ha cambiado el registro desde la importación.',
  'It has been changed since.': 'El registro se ha cambiado desde entonces.',
  'It is too large for this site.': 'El archivo es demasiado grande para este sitio.',
  'People have changed this member since it was imported.': 'Alguien ha cambiado este miembro desde la importación.',
  'There are comments of this member.': 'Hay comentarios de este miembro.',
  'Members of this site have this label.': 'Hay miembros de este sitio con esta etiqueta.',
  'People have renamed this label.': 'Alguien ha cambiado el nombre de esta etiqueta.',
  'Ghost does not take this member.': 'Ghost no acepta este miembro.',
  'Ghost does not take a member with this address.': 'Ghost no acepta un miembro con esta dirección.',
  'Ghost offers no way to remove a file.': 'Ghost no ofrece ninguna forma de quitar un archivo.',
  'Ghost does not delete it: {}': 'Ghost no lo elimina: {}',
  'HubSpot links it to {} records here.': 'HubSpot enlaza aquí el registro con {} registros.',
  'Pipedrive links it to {} records.': 'Pipedrive enlaza el registro con {} registros.',
  'It was copied with the first of these links.': 'Se copió con el primero de estos enlaces.',
  '{} people follow it in Pipedrive.': 'En Pipedrive lo siguen {} personas.',
  'Comments of readers on it: {}.': 'Comentarios de lectores: {}.',
  'Pipedrive shows {} e-mails at it.': 'Pipedrive muestra {} correos en él.',
  'HubSpot has {} conversations of it in the inbox.': 'HubSpot tiene {} conversaciones suyas en la bandeja de entrada.',
  'HubSpot has {} files in fields of it.': 'HubSpot tiene {} archivos en sus campos.',
  'HubSpot has labels at {} of its links.': 'HubSpot tiene etiquetas en {} de sus enlaces.',
  'HubSpot links it to {} other records of its kind.': 'HubSpot lo enlaza con {} otros registros de su tipo.',
  'They were not copied.': 'No se copiaron.',
  'These links were not copied.': 'Estos enlaces no se copiaron.',
  'Deals of this account use it.': 'Hay negocios de esta cuenta que lo usan.',
  'Records of their own that people linked to it: {}.': 'Registros propios que alguien le ha vinculado: {}.',
  'People renamed it.': 'Alguien le ha cambiado el nombre.',
  'Another record of this import was merged with it.': 'Otro registro de esta importación se ha fusionado con él.',
  'HubSpot does not delete it: {}': 'HubSpot no lo elimina: {}',
  'It was deleted in HubSpot after it had been imported.': 'Se eliminó en HubSpot después de importarlo.',
  'Pipedrive does not delete it: {}': 'Pipedrive no lo elimina: {}',
  'It was deleted in Pipedrive after it had been imported.': 'Se eliminó en Pipedrive después de importarlo.',
  'WordPress does not delete it: {}': 'WordPress no lo elimina: {}',
  'People have commented on it.': 'Alguien lo ha comentado.',
  'People have answered it.': 'Alguien ha respondido.',
  'People have reacted to it.': 'Alguien ha reaccionado.',
  'Posts or pages of this site use it.': 'Lo usan entradas o páginas de este sitio.',
  'Posts or pages of this site show it.': 'Lo muestran entradas o páginas de este sitio.',
  'Posts of this site use it.': 'Lo usan entradas de este sitio.',
  'A file of this kind could act as a page of the site, so it is not put there.':
    'Un archivo de este tipo podría actuar como una página del sitio, así que no se pone allí.',
  'The field "{}" holds something other than expected and was left out.':
    'El campo «{}» contiene algo distinto de lo esperado y se ha omitido.',
  'The field "{}" is empty.': 'El campo «{}» está vacío.',
  'The source names its readers by a word that we do not know.':
    'La palabra que indica quién puede leerlo nos es desconocida.',
  'Only some tiers could read it. The tiers are not copied.': 'Solo podían leerlo algunos niveles; eso no se copia.',
  'It was only ever sent by e-mail.': 'La entrada solo se envió por correo.',
  'It answers a comment that was deleted.': 'El comentario responde a uno que se eliminó.',
  'It answers a comment that was deleted or is spam.': 'El comentario responde a uno que se eliminó o es spam.',
  'Its author is no longer a member.': 'Quien lo escribió ya no es miembro.',
  'The paid plan of this member is not copied.': 'Lo que paga este miembro no se copia.',
  'Ghost keeps comments of members only, and members need an e-mail address. This comment has none that Ghost takes.':
    'Ghost solo guarda comentarios de miembros, y un miembro necesita un correo electrónico. Este comentario no tiene ninguno que Ghost acepte.',
  'The post of this comment is no longer in Ghost.': 'Aquello que comenta ya no está en Ghost.',
  'It was deleted in Ghost after it had been imported.': 'El registro se eliminó en Ghost después de la importación.',
  'It was deleted in WordPress after it had been imported.':
    'El registro se eliminó en WordPress después de la importación.',
  'It was deleted in Redmine since it was imported.': 'El registro se eliminó en Redmine después de la importación.',
  'It was deleted in Redmine while it was imported.': 'El registro se eliminó en Redmine durante la importación.',
  'It was deleted in Request Tracker since it was imported.':
    'El registro se eliminó en Request Tracker después de la importación.',
  'Its featured image has been deleted.': 'Su imagen destacada se ha eliminado.',
  'Its author no longer has an account.': 'Su autor ya no tiene cuenta.',
  'It belongs to a record that is not copied.': 'El comentario pertenece a algo que no se copia.',
  '{} answered {} and gave no reason.': '{} respondió {} y no dio ningún motivo.',
  'The file has no name.': 'El archivo no tiene nombre.',
  'The file belongs to no record.': 'El archivo no pertenece a nada.',
  'The destination says that this file is too large.': 'El destino dice que este archivo es demasiado grande.',
  'The destination says that this record is too large.': 'El destino dice que este registro es demasiado grande.',
  'Its fields are too large.': 'Sus campos son demasiado grandes.',
  'it did not say why.': 'sin decir por qué.',
  'Redmine refused it without a reason.': 'Redmine lo rechazó sin dar ningún motivo.',
  'The record that it belongs to is no longer in Redmine.': 'Aquello a lo que pertenece ya no está en Redmine.',
  'The record that it belongs to is no longer in {}.': 'Aquello a lo que pertenece ya no está en {}.',
  '{} has no place for it ({}).': '{} no tiene lugar para él ({}).',
  'The plan of this account may lack it.': 'Puede que el plan de esta cuenta no lo incluya.',
  'The server says that the file is too large.': 'El servidor dice que el archivo es demasiado grande.',
  'Redmine has no such active user.': 'Redmine no tiene ese usuario activo.',
  'Redmine does not allow it: the project may be closed, or the module switched off.':
    'Redmine no lo permite: quizá el proyecto esté cerrado o el módulo desactivado.',
  'People have given this member other roles.': 'Alguien ha dado otros roles a este miembro.',
  'Issues of the project are assigned to this person.': 'Esta persona tiene peticiones del proyecto asignadas.',
  'This person has booked time in the project.': 'Esta persona ha dedicado tiempo en el proyecto.',
  'This person has booked time.': 'Esta persona ha registrado tiempo.',
  'An issue below it could not be detached.': 'No se pudo separar una petición que depende de ella.',
  'A project below it could not be detached.': 'No se pudo separar un proyecto que depende de él.',
  'People have related other issues to it.': 'Alguien la ha relacionado con otras peticiones.',
  'Time has been booked on it since.': 'Desde entonces se le ha dedicado tiempo.',
  'People have switched on more modules in it.': 'Alguien ha activado más módulos en él.',
  'People have added members to it.': 'Alguien ha añadido miembros.',
  'There are still issues in it.': 'Todavía contiene peticiones.',
  'There is still time booked in it.': 'Todavía tiene tiempo dedicado.',
  'There are still {} in it.': 'Todavía contiene: {}.',
  'issue categories': 'categorías de peticiones',
  'The days between this issue and one that follows it are not copied.':
    'Los días entre esta petición y una siguiente no se copian.',
  'The issue that it belongs to is no longer in Redmine.': 'La petición a la que pertenece ya no está en Redmine.',
  'It also records changes of the issue.': 'La nota también registra cambios de la petición.',
  'This person has signed in to Redmine since.': 'Esta persona ha entrado en Redmine desde entonces.',
  'This person has become a member of a project or group.': 'Esta persona se ha hecho miembro de un proyecto o grupo.',
  'There are issues that name this person.': 'Hay peticiones que nombran a esta persona.',
  'Everyone who sees the issue could see this file, which was private.':
    'Cualquiera que vea la petición podría ver este archivo, que era privado.',
  'The record of this file is no longer in Redmine.': 'Aquello a lo que pertenece el archivo ya no está en Redmine.',
  'Redmine did not keep the file.': 'Redmine no conservó el archivo.',
  'An issue needs a project, and this one has none.': 'Una petición pertenece a un proyecto, y esta no tiene ninguno.',
  'There is no such person in Redmine.': 'Esta persona no existe en Redmine.',
  'Redmine has none of the roles that this member has.': 'Redmine no tiene ninguno de los roles de este miembro.',
  'Someone has given it a wiki page since.': 'Desde entonces alguien le ha dado una página wiki.',
  'There are issues of this category.': 'Hay peticiones de esta categoría.',
  'The project above it is no longer in Redmine.': 'El proyecto superior ya no está en Redmine.',
  'The issue or project of this time entry is no longer in Redmine.':
    'Aquello a lo que se dedicó el tiempo ya no está en Redmine.',
  'The project that it belongs to is no longer in Redmine.': 'El proyecto al que pertenece ya no está en Redmine.',
  'Redmine cannot make an address of its title.': 'Redmine no puede formar una dirección con su título.',
  'The project has another wiki page with the title "{}".': 'El proyecto tiene otra página wiki con el título «{}».',
  'It is no longer the page that was imported.': 'Ya no es la página que se importó.',
  'Someone has added a file to it since.': 'Desde entonces alguien ha añadido un archivo.',
  'Request Tracker did not record the message. Look whether it asks for a custom field with every message.':
    'Request Tracker no registró el mensaje. Compruebe si exige un campo personalizado en cada mensaje.',
  'The user of the token may not write to this ticket.': 'El usuario del token no puede escribir en este ticket.',
  'People have changed this ticket since it was imported.': 'Alguien ha cambiado este ticket desde la importación.',
  'People have worked on this ticket since it was imported.':
    'Alguien ha trabajado en este ticket desde la importación.',
  'Request Tracker does not let it be removed by itself.': 'Request Tracker no permite quitarlo por separado.',
  'There are tickets in this queue that people made.': 'En esta cola hay tickets creados por personas.',
  'This user has become an agent since.': 'Este usuario se ha convertido en agente desde entonces.',
  'This person requested or watches tickets.': 'Hay tickets que esta persona pidió o sigue.',
  'This person has become a member of a group since.': 'Esta persona se ha hecho miembro de un grupo desde entonces.',
  'The record of this file is not there.': 'Aquello a lo que pertenece el archivo no está.',
  'Request Tracker kept only a part of this file. Raise MaxAttachmentSize, or switch off TruncateLongAttachments and DropLongAttachments.':
    'Request Tracker conservó solo una parte de este archivo. Aumente MaxAttachmentSize, o desactive TruncateLongAttachments y DropLongAttachments.',
  'A group of users watches this ticket; only its other watchers are copied.':
    'Un grupo de usuarios sigue este ticket; solo se copian los demás observadores.',
  'An AdminCc of this ticket is not a privileged user, and is not copied.':
    'Un AdminCc de este ticket no es un usuario privilegiado y no se copia.',
  'A link of this ticket points to a ticket that is deleted or not visible.':
    'Un enlace de este ticket lleva a uno eliminado o que no se puede ver.',
  'It was not recorded.': 'No quedó registrado.',
  'An organization without a name has no place in Request Tracker.':
    'Una organización sin nombre no tiene lugar en Request Tracker.',
  'There is a disabled queue of this name. Enable it, or give it another name.':
    'Hay una cola desactivada con este nombre. Actívela o dele otro nombre.',
  'The ticket is no longer there.': 'El ticket ya no está.',
  'Request Tracker did not take the text.': 'Request Tracker no aceptó el texto.',
  'Tickets of this queue cannot have the status "{}".': 'Los tickets de esta cola no pueden tener el estado «{}».',
  'Tryton does not take that much at once.': 'Tryton no acepta tanto de una vez.',
  'Tryton has lost the bytes of this file; only its name is left.':
    'Tryton ha perdido el contenido de este archivo; solo queda su nombre.',
  'An opportunity uses it.': 'Una oportunidad lo usa.',
  'It is a company or an employee of this Tryton.': 'Es una empresa o un empleado de este Tryton.',
  'Someone has related it to a party that was not imported.':
    'Alguien lo ha relacionado con un tercero que no se importó.',
  'Sales were made from it.': 'Hay ventas que surgieron de él.',
  'There are notes on it.': 'Tiene notas.',
  'There are files on it.': 'Tiene archivos.',
  'Tryton failed to store it and did not say why.': 'Tryton falló con él y no dijo por qué.',
  'Tryton refused it and did not say why.': 'Tryton lo rechazó y no dijo por qué.',
  'The record that it belongs to is not in Tryton.': 'Aquello a lo que pertenece no está en Tryton.',
  'People have renamed it since.': 'Alguien le ha cambiado el nombre desde entonces.',
  'Parties are related in this way.': 'Hay terceros con esta relación.',
  'There are subdivisions of this country.': 'Hay subdivisiones de este país.',
  'There are addresses in this country.': 'Hay direcciones en este país.',
  'Tryton wants a party and an employee for it: give it an account or contact, and an owner who is an employee there.':
    'Tryton exige para él un tercero y un empleado: dele una empresa o un contacto, y un propietario que sea empleado allí.',
  'This note belongs to no record, and Tryton has no place for such a note.':
    'La nota no pertenece a nada, y Tryton no tiene lugar para ella.',
  'A relationship needs two parties and a type.': 'Una relación necesita dos terceros y un tipo.',
  'There are parties in this category.': 'Hay terceros en esta categoría.',
  'There are other categories below this one.': 'Hay otras categorías por debajo de esta.',
  'It is no longer in Tryton.': 'El registro ya no está en Tryton.',
  'A tag needs a name.': 'Una etiqueta necesita un nombre.',
  'Someone deleted it in the destination after it was written.':
    'Alguien lo eliminó en el destino después de escribirse.',
  'Someone changed it in the destination since it was written, so it stays unchanged there.':
    'El registro se cambió en el destino después de escribirse. Se dejó allí como está.',
  'It was deleted in the source and in the destination.': 'El registro se eliminó en el origen y en el destino.',
  'It was removed because the source no longer had it. Now the source has it again.':
    'El registro se quitó porque el origen ya no lo tenía. Ahora el origen vuelve a tenerlo.',
  'It may be there or not; nobody can look for it.': 'El registro puede estar allí o no; nadie puede buscarlo.',
  'It may be there or not.': 'El registro puede estar allí o no.',
  'It is not as it was sent. The destination kept it in another form, or someone changed it there.':
    'No está como se envió. El destino lo guardó de otra forma, o alguien lo cambió allí.',
  'It was changed in the destination after it was written.':
    'El registro se cambió en el destino después de escribirse.',
  'Something that belongs to it was changed in the destination after it was written.':
    'Algo que le pertenece se cambió en el destino después de escribirse.',
  'A record that stays in the destination refers to it.': 'Un registro que se queda en el destino remite a él.',
  'The destination offers no way to remove it.': 'El destino no ofrece ninguna forma de quitarlo.',
  'It stays with the record it belongs to.': 'El registro se queda con aquel al que pertenece.',
  'It could not be removed: {}': 'No se pudo quitar el registro: {}',
  'More people could see it in the destination than in the source, so it was not sent.':
    'En el destino podrían verlo más personas que en el origen. No se envió.',
  'It belongs to something that is not copied, so it was not sent.':
    'El registro pertenece a algo que no se copia. No se envió.',
  'The file has more than {}, which is the most that the destination accepts.':
    'El archivo tiene más de {}, que es lo máximo que acepta el destino.',
  'The file has {}; the destination accepts files up to {}.':
    'El archivo tiene {}; el destino acepta archivos de hasta {}.',
  'The source does not hand out this file.': 'El origen no entrega este archivo.',
  'The source no longer has this file.': 'El origen ya no tiene este archivo.',
  'It failed {} times or more: {}': 'Falló {} veces o más: {}',
  'something on our side went wrong': 'un error por nuestra parte',
  'a tool could not be reached': 'no se pudo contactar con una herramienta',
  'a tool answered with {}': 'una herramienta respondió algo ilegible ({})',
  'a tool answered {}': 'una herramienta respondió {}',
  'the transfer of a file broke off': 'la transferencia de un archivo se interrumpió',
  'It vanished from the source before it was copied. It is not in the destination.':
    'El registro desapareció del origen antes de copiarse. No está en el destino.',
  'It is not as it was sent: someone may have changed it.':
    'El registro no está como se envió: quizá alguien lo haya cambiado.',
  'It is there more than once: other people or programs have added messages to the other one.':
    'El registro está más de una vez: otras personas o programas han añadido mensajes al otro.',
  'It is there more than once: the destination did not let us remove the other one.':
    'El registro está más de una vez: el destino no nos dejó quitar el otro.',
  'This record was merged with {} ({}). The destination keeps one record for both.':
    'Este registro se unió con {} ({}). El destino guarda un solo registro para ambos.',
  '{} was merged with {} ({}). The destination keeps one record for both.':
    '{} se unió con {} ({}). El destino guarda un solo registro para ambos.',
  'The destination no longer shows it, so it cannot be compared.':
    'El destino ya no lo muestra, así que no se puede comparar.',
  'The destination shows it in a form that cannot be read.': 'El destino lo muestra en una forma que no se puede leer.',
  'The file has {} bytes; in the source it has {}.': 'El archivo tiene {} bytes; en el origen tiene {}.',
  'Not as it was sent: {}': 'No está como se envió: {}',
  'it has changed in the source since': 'ha cambiado en el origen desde entonces',
  'It was deleted in Intercom since it was imported.': 'Se eliminó en Intercom después de importarlo.',
  'Its ticket was deleted in Intercom since it was imported.':
    'Su ticket se eliminó en Intercom después de importarlo.',
  'Intercom does not make a field that the record needs: {}': 'Intercom no crea un campo que el registro necesita: {}',
  'Intercom takes no company without a name.': 'Intercom no acepta empresas sin nombre.',
  'Intercom does not turn an internal article into another one. Delete its copy in Intercom, then bring it back.':
    'Intercom no convierte un artículo interno en otro. Elimine la copia en Intercom y recupérela después.',
  'Intercom takes no ticket without the person who asked.':
    'Intercom no acepta ningún ticket sin la persona que preguntó.',
  'Intercom takes nothing without a title here.': 'Intercom no acepta aquí nada sin título.',
  'Intercom takes no files of articles by its API.': 'Intercom no acepta archivos de artículos por su API.',
  'Intercom has no team of this name, and lets only people make teams.':
    'Intercom no tiene ningún equipo con este nombre, y solo las personas pueden crear equipos.',
  'Intercom does not delete it: {}': 'Intercom no lo elimina: {}',
  'Articles of this account stand in it.': 'Contiene artículos de esta cuenta.',
  'Conversations of this account name them.': 'Conversaciones de esta cuenta la mencionan.',
  'Contacts of this account belong to it.': 'Le pertenecen contactos de esta cuenta.',
  'Intercom links it to {} records here. One link was copied.':
    'Intercom lo enlaza aquí con {} registros. Se copió un enlace.',
  'Its assignee is no teammate and was left out.': 'La persona asignada no es del equipo y se omitió.',
  'Nobody in the workspace wrote this comment.': 'Nadie del espacio de trabajo escribió este comentario.',
  'It came with a change of the conversation. Only teammates see it now.':
    'Llegó con un cambio de la conversación. Ahora solo lo ven los compañeros de equipo.',
  'Help Scout does not let the account read all messages of this conversation.':
    'Help Scout no deja que la cuenta lea todos los mensajes de esta conversación.',
  'Help Scout does not let the account read the properties of this organization.':
    'Help Scout no permite que la cuenta lea las propiedades de esta organización.',
  'Its draft was not copied.': 'Su borrador no se copió.',
  'People are writing a draft, which a change would delete.':
    'Alguien está escribiendo un borrador, que un cambio borraría.',
  'The source sent a record without an id.': 'El origen ha enviado un registro sin identificador.',
  'Some customers could read it. Its copy is for the staff.':
    'Algunos clientes podían leerlo. Su copia es solo para el equipo.',
  'Pipedrive keeps 15 digits of an amount. This one has more.':
    'Pipedrive conserva 15 cifras de un importe. Este tiene más.',
  'Intercom hands out the newest 500 parts of a conversation. Older ones are missing.':
    'Intercom entrega las 500 partes más recientes de una conversación. Faltan las anteriores.',
  'It was deleted in Zendesk since it was imported.': 'El registro se eliminó en Zendesk después de la importación.',
  'Zendesk changes nothing in a closed ticket, and adds nothing to it.':
    'Zendesk no cambia nada en un ticket cerrado ni le añade nada.',
  'Zendesk does not make a field that the record needs: {}': 'Zendesk no crea un campo que el registro necesita: {}',
  'Tickets of this account name them.': 'Hay tickets de esta cuenta que nombran a esta persona.',
  'It is not empty.': 'No está vacío.',
  'Other records of this account may have this tag.': 'Otros registros de esta cuenta pueden llevar esta etiqueta.',
  'Other records of this account may use this field.': 'Puede que otros registros de esta cuenta usen este campo.',
  'It is in {} categories.': 'Está en {} categorías.',
  'It was copied into the first one.': 'Se copió en la primera.',
  'Nobody in the account wrote the first message.': 'Nadie de la cuenta escribió el primer mensaje.',
  'Nobody in the account wrote this article.': 'Nadie de la cuenta escribió este artículo.',
  'Nobody in the account wrote this comment.': 'Nadie de la cuenta escribió este comentario.',
  'It was deleted in Help Scout since it was imported.':
    'El registro se eliminó en Help Scout después de la importación.',
  'Help Scout takes no conversation without a customer.': 'Help Scout no acepta conversaciones sin cliente.',
  'Help Scout takes files of at most 7.4 MB.': 'Help Scout acepta archivos de hasta 7,4 MB.',
  'Zendesk links it to {} organizations. One link was copied, and the names of the others.':
    'Zendesk enlaza el registro con {} organizaciones. Se copió un enlace, y los nombres de las demás.',
  'Zendesk does not list its status. Only the category was read.':
    'Zendesk no indica su estado. Solo se leyó la categoría.',
  'Zendesk does not list its user segments to us. Without one, everybody could read this article.':
    'Zendesk no nos muestra sus segmentos de usuarios. Sin uno, todos podrían leer este artículo.',
  'Tickets of this account are in it.': 'Hay tickets de esta cuenta que pertenecen a él.',
  'People of this account belong to it.': 'Hay personas de esta cuenta que pertenecen a ella.',
  'People may have added this file.': 'Es posible que alguien haya añadido este archivo.',
  'The tool deletes it only together with the record that it belongs to.':
    'La herramienta solo lo elimina junto con el registro al que pertenece.',
  'Freshdesk did not add the file to its record. We send it as a note.':
    'Freshdesk no ha añadido el archivo a su registro. Lo enviamos como nota.',
  'Help Scout deletes no single comment. It is hidden now.':
    'Help Scout no elimina comentarios sueltos. El comentario está ahora oculto.',
  'It was deleted in Freshdesk since it was imported.':
    'El registro se eliminó en Freshdesk después de la importación.',
  'This person belongs to further companies.': 'Esta persona pertenece a otras empresas.',
  'Its agent has no account any more.': 'Su agente ya no tiene cuenta.',
  'A follower is no agent any more.': 'Un seguidor ya no es agente.',
  'The person who asked was deleted.': 'La persona que preguntó fue eliminada.',
  'Its folder was deleted in Freshdesk since it was imported.':
    'Su carpeta se eliminó en Freshdesk después de la importación.',
  'Everyone can read its article, and would see this private file.':
    'Todos pueden leer su artículo y verían este archivo privado.',
  'People are writing a draft of its article, which a change would delete.':
    'Alguien está escribiendo un borrador de su artículo, que un cambio eliminaría.',
}
