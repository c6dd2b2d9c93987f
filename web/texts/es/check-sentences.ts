/** Translations of the service's sentences about checks and obstacles. `{}` is a placeholder for a value. */
export const checkSentences: Record<string, string> = {
  'Redmine sends mail about every issue and every note that is imported, and its API cannot switch that off.':
    'Redmine envía un correo por cada petición y cada nota importada, y su API no permite desactivarlo.',
  'Before the import, untick every action under Administration › Settings › Email notifications, and tick them again afterwards.':
    'Antes de la importación, desmarque todas las acciones en Administración › Configuración › Notificaciones por correo y vuelva a marcarlas después.',
  'Redmine computes priority, dates and progress of an issue that has others below it, unless it is told not to.':
    'Redmine calcula la prioridad, las fechas y el progreso de una petición que tiene otras por debajo, salvo que se le indique lo contrario.',
  'To keep them as they are, set the parent task attributes to "Independent of subtasks" under Administration › Settings › Issue tracking.':
    'Para conservarlos como están, elija en Administración › Configuración › Peticiones «Independiente de las subtareas» para los atributos de la tarea padre.',
  'Links between tickets of different groups are left out, and listed, unless Redmine allows links between projects.':
    'Los enlaces entre tickets de grupos distintos se omiten, y se enumeran, salvo que Redmine permita enlaces entre proyectos.',
  'Under Administration › Settings › Issue tracking, tick "Allow cross-project issue relations", and allow cross-project subtasks "With all projects".':
    'En Administración › Configuración › Peticiones, marque «Permitir relacionar peticiones de distintos proyectos» y permita las subtareas «Con todos los proyectos».',
  'Contacts become users of Redmine.': 'Los contactos se convierten en usuarios de Redmine.',
  'They get no mail and no password, but could ask for one and then see public projects.':
    'No reciben ni correo ni contraseña, pero podrían pedir una y ver entonces los proyectos públicos.',
  'If that is not wanted, switch off "Lost password" under Administration › Settings › Authentication, or lock these users after the import.':
    'Si no lo desea, desactive «¿Olvidaste la contraseña?» en Administración › Configuración › Autenticación, o bloquee a estos usuarios después de la importación.',
  'Under Administration › Custom fields, make a field for {} with the format Text and the name "{}"; tick "Used as a filter", "For all projects" and every tracker.':
    'En Administración › Campos personalizados, cree un campo para {} con el formato Texto y el nombre «{}»; marque «Usado como filtro», «Para todos los proyectos» y todos los tipos.',
  'Under Administration › Custom fields, make a field for {} with the format Text and the name "{}"; tick "Used as a filter".':
    'En Administración › Campos personalizados, cree un campo para {} con el formato Texto y el nombre «{}»; marque «Usado como filtro».',
  'Redmine has no custom field "{}" for {}, by which imported records are found again.':
    'Falta en Redmine el campo personalizado «{}» para {}. Con él se reconocen los registros importados.',
  'The custom field "{}" for {} is not used as a filter.': 'El campo personalizado «{}» para {} no se usa como filtro.',
  'The custom field "{}" is missing for {}.': 'Falta el campo personalizado «{}» para {}.',
  'The custom field "{}" for {} is there.': 'El campo personalizado «{}» para {} existe.',
  'spent time': 'tiempo dedicado',
  'issues of the tracker "{}"': 'las peticiones del tipo «{}»',
  'The custom field "{}" is missing in Redmine or not used as a filter. Please restore it.':
    'El campo personalizado «{}» falta en Redmine o no se usa como filtro. Restablézcalo.',
  'Redmine has no custom field "{}" for {}. Make one of the format Text, for all projects and trackers, used as a filter.':
    'Redmine no tiene el campo personalizado «{}» para {}. Créelo con el formato Texto, para todos los proyectos y tipos, usado como filtro.',
  'The project {} in Redmine has been archived. Please unarchive it, so that the import can go on.':
    'El proyecto {} se ha archivado en Redmine. Desarchívelo para que la importación pueda continuar.',
  'Redmine does not accept this API key, or its REST API is switched off.':
    'Redmine no acepta esta clave de API, o su API REST está desactivada.',
  'In Request Tracker, choose Admin > Custom Fields > Create. Name: "{}", type: "Enter one value", applies to: "{}". Save it, then choose "Applies to" and tick it for all of them ("globally").':
    'En Request Tracker, elija Admin > Custom Fields > Create. Nombre: «{}», tipo: «Enter one value», se aplica a: «{}». Guárdelo, elija después «Applies to» y márquelo para todos («globally»).',
  'The custom field "{}" for {} is missing.': 'Falta el campo personalizado «{}» para {}.',
  'Public messages on closed tickets leave two lines about their status in the history while the scrip "On Correspond Open Inactive Tickets" is enabled.':
    'Los mensajes públicos en tickets cerrados dejan en el historial dos líneas sobre su estado mientras el scrip «On Correspond Open Inactive Tickets» está activado.',
  'Disable it during the import to do without them.': 'Desactívelo durante la importación para evitarlas.',
  'There is a custom field for our key on {}.': 'El campo personalizado para nuestra clave existe: {}.',
  'The custom field "{}" is needed on {}, so that nothing is written twice and everything can be undone.':
    'Hace falta el campo personalizado «{}» para: {}. Así nada se escribe dos veces y todo puede deshacerse.',
  'Messages can be written without a mail to anyone.': 'Los mensajes pueden escribirse sin que nadie reciba un correo.',
  'Messages cannot be written without a mail to customers, because the page for them does not take ours.':
    'Los mensajes no pueden escribirse sin correo a los clientes, porque la página prevista no acepta los nuestros.',
  'Connect Request Tracker by the address that its settings WebDomain and WebPort name, and no other.':
    'Conecte Request Tracker exactamente con la dirección que indican sus ajustes WebDomain y WebPort.',
  'Times in custom fields are kept exactly.': 'Las horas de los campos personalizados se conservan exactamente.',
  'Times in custom fields may be shifted, because the user of the token does not have UTC as its time zone.':
    'Las horas de los campos personalizados pueden desplazarse, porque el usuario del token no tiene UTC como zona horaria.',
  'In Request Tracker, set the time zone of the user of the token to UTC.':
    'En Request Tracker, ponga la zona horaria de ese usuario en UTC.',
  'The pages of Request Tracker do not accept the token. Make its address reachable without another sign-in in front.':
    'Las páginas de Request Tracker no aceptan el token. Su dirección debe ser accesible sin otro inicio de sesión previo.',
  'This user may create, change and delete what is imported.':
    'Este usuario puede crear, modificar y eliminar lo que se importa.',
  'This user may not create, change and delete {}.': 'Este usuario no puede crear, modificar y eliminar: {}.',
  'Connect Tryton with a user of the groups "Party Administration" and "Sales", or give these groups to this user.':
    'Conecte Tryton con un usuario de los grupos «Party Administration» y «Sales», o dé estos grupos a este usuario.',
  'HubSpot does not accept this access token.': 'HubSpot no acepta este token de acceso.',
  'HubSpot sends no mail about imported records.': 'HubSpot no envía correos sobre los registros importados.',
  'Companies that HubSpot already has are not looked for: they arrive a second time.':
    'Las empresas que HubSpot ya tiene no se buscan: llegan por segunda vez.',
  'Merge the duplicates in HubSpot after the import, once you are sure that you will not undo it.':
    'Combine los duplicados en HubSpot después de la importación, cuando esté seguro de que no la va a deshacer.',
  'HubSpot can make a company for the address of each contact by itself.':
    'HubSpot puede crear por sí mismo una empresa para la dirección de cada contacto.',
  'An undo does not remove these companies.': 'Al deshacer no se eliminan estas empresas.',
  'Switch off "Create and associate companies with contacts" in the settings of companies.':
    'Desactive «Crear y asociar empresas con contactos» en los ajustes de las empresas.',
  'Workflows of this account may: switch off those that start with new records.':
    'Los workflows de esta cuenta sí pueden: desactive los que empiezan con registros nuevos.',
  'Pipedrive does not accept this API token.': 'Pipedrive no acepta este token de API.',
  'The sign-in named an address that is not Pipedrive’s.':
    'El inicio de sesión indicó una dirección que no es de Pipedrive.',
  'Please sign in again.': 'Inicie sesión otra vez.',
  'Pipedrive sends no mail about imported records.': 'Pipedrive no envía correos sobre los registros importados.',
  'Automations of this account may: switch off those that start with new records.':
    'Las automatizaciones de esta cuenta sí pueden: desactive las que empiezan con registros nuevos.',
  'People and organizations that Pipedrive already has are not looked for: they arrive a second time.':
    'Las personas y organizaciones que Pipedrive ya tiene no se buscan: llegan por segunda vez.',
  'Merge the duplicates in Pipedrive after the import, once you are sure that you will not undo it.':
    'Combine los duplicados en Pipedrive después de la importación, cuando esté seguro de que no la va a deshacer.',
  'Deals without a stage arrive in the first stage of their pipeline: Pipedrive requires one.':
    'Las oportunidades sin fase llegan a la primera fase de su embudo: Pipedrive exige una.',
  'Pipedrive does not let us make the custom field "{}".': 'Pipedrive no permite crear el campo personalizado «{}».',
  "Please make room for it, or connect an administrator's account.":
    'Deje sitio para él o conecte la cuenta de un administrador.',
  'Pipedrive took the mark of our import out of a text, so nothing more can be written safely.':
    'Pipedrive quitó la marca de la importación de un texto. Sin ella no se escribe nada más.',
  'Tryton can take deals.': 'Tryton puede recibir negocios.',
  'Tryton has no opportunities, so deals stay behind.':
    'Tryton no tiene oportunidades, así que sus negocios no se copian.',
  'Activate the module "sale_opportunity" in Tryton, if you want your deals there.':
    'Active el módulo «sale_opportunity» en Tryton si quiere tener allí sus negocios.',
  'Tryton can say who works for whom.': 'Tryton puede indicar quién trabaja para quién.',
  'Tryton cannot say who works for whom, so people come without their organisation.':
    'Tryton no puede indicar quién trabaja para quién, así que las personas llegan sin su organización.',
  'Activate the module "party_relationship" in Tryton.': 'Active el módulo «party_relationship» en Tryton.',
  'This user works for no company, and every deal needs one.':
    'Este usuario no trabaja para ninguna empresa, y cada negocio necesita una.',
  'Deals go to this user’s company.': 'Los negocios van a la empresa de este usuario.',
  'Choose a company in the preferences of this user.': 'Elija una empresa en las preferencias de este usuario.',
  'Deals can be given to employees.': 'Los negocios pueden asignarse a empleados.',
  'The company has no employees: open deals become leads, and deals that were won are refused.':
    'La empresa no tiene empleados: los negocios abiertos pasan a ser prospectos y los ganados se rechazan.',
  'Add the people who own deals as employees of the company, with their e-mail addresses.':
    'Añada como empleados de la empresa, con su correo electrónico, a las personas que tienen negocios.',
  'Countries are there.': 'Los países están.',
  'Tryton knows no countries yet; those of your addresses will be added.':
    'Tryton todavía no conoce ningún país; se añadirán los de sus direcciones.',
  'Run trytond_import_countries to have all of them with their regions.':
    'Ejecute trytond_import_countries para tenerlos todos con sus regiones.',
  '{} parties are there; a party whose code is taken gets a few letters after its code.':
    'Hay {} terceros; si el código de uno está ocupado, llega con algunas letras detrás.',
  'This user may not move the numbering of parties on: imported numbers may collide with later ones.':
    'Este usuario no puede adelantar la numeración de los terceros: más tarde puede coincidir con números copiados.',
  'After the import set the next number of the sequence "Party" above the largest imported number.':
    'Después de la importación, ponga el siguiente número de la secuencia «Party» por encima del mayor número copiado.',
  'There is no Tryton with a database "{}" at this address. Please connect the account again.':
    'En esta dirección no hay ningún Tryton con una base de datos «{}». Vuelva a conectar la cuenta.',
  'Tryton does not know this user name and password.': 'Tryton no conoce este usuario y esta contraseña.',
  'Please connect the account again.': 'Vuelva a conectar la cuenta.',
  'Tryton does not let this user do what the import needs. Please connect it with a user who may.':
    'Tryton no permite a este usuario lo que necesita la importación. Conéctelo con un usuario que pueda.',
  'Tryton does not let this user read {}. Please connect it with a user who may.':
    'Tryton no permite a este usuario leer {}. Conéctelo con un usuario que pueda.',
  'Tryton asks this user for more than a password. Please connect a user who signs in with a password alone.':
    'Tryton pide a este usuario más que una contraseña. Conecte uno que entre solo con contraseña.',
  'Tryton refuses records that the import needs in addition: notes, relation types or categories. Please connect it with a user who may create these.':
    'Tryton rechaza lo que los registros necesitan además: notas, tipos de relación o categorías. Conéctelo con un usuario que pueda crearlos.',
  'Only paying members may comment in this Ghost, so comments of others are refused.':
    'En este Ghost solo pueden comentar los miembros de pago; los comentarios de otros se rechazan.',
  'Comments are switched off in this Ghost, so none can be imported.':
    'En este Ghost los comentarios están desactivados; no se puede importar ninguno.',
  'Members may comment.': 'Los miembros pueden comentar.',
  'In Ghost, under Settings, Access, let all members comment, at least for the import.':
    'En Ghost, en Settings, Access, permita comentar a todos los miembros, al menos durante la importación.',
  'Comments are switched off in this Ghost. Please switch them on in its settings (Membership, Access).':
    'En este Ghost los comentarios están desactivados. Actívelos en sus ajustes (Membership, Access).',
  'Ghost no longer lets us do this (answered {}). Please connect it again with the key of an integration.':
    'Ghost ya no nos permite hacerlo (respuesta {}). Vuelva a conectarlo con la clave de una integración.',
  'Ghost does not know this key. Please use the Admin API key of a custom integration.':
    'Ghost no conoce esta clave. Use la clave de la API de administración de una integración personalizada.',
  'The user may write everything.': 'El usuario puede escribirlo todo.',
  'The user lacks: {}.': 'Al usuario le falta: {}.',
  'Connect WordPress with an application password of an administrator.':
    'Conecte WordPress con una contraseña de aplicación de un administrador.',
  'Texts are kept as they are sent.': 'Los textos se conservan tal como se envían.',
  'WordPress takes markup out of the texts of this user (a site of a network does so for all but its super administrators).':
    'WordPress quita marcado de los textos de este usuario (un sitio de una red lo hace con todos salvo sus superadministradores).',
  'Use a super administrator, or look at the formatting of a sample first.':
    'Use un superadministrador, o mire primero el formato de una muestra.',
  'WordPress no longer lets us do this (answered {}).': 'WordPress ya no nos permite hacerlo (respuesta {}).',
  "Please connect it again with an administrator's application password.":
    'Vuelva a conectarlo con la contraseña de aplicación de un administrador.',
  'WordPress does not know this user name and application password.':
    'WordPress no conoce este usuario y esta contraseña de aplicación.',
  'This WordPress takes no comments at all. Please allow comments in its settings or plugins, at least for the time of the import.':
    'Este WordPress no acepta ningún comentario. Permita los comentarios en sus ajustes o plugins, al menos durante la importación.',
  'Please connect it again.': 'Vuelva a conectarlo.',
  'The token lacks the scopes {}.': 'Al token le faltan los permisos (scopes) {}.',
  'Please add them to the app in HubSpot, and connect it again.':
    'Añádalos a la aplicación en HubSpot y vuelva a conectar la cuenta.',
  '{} no longer lets us in ({}).': '{} ya no nos deja entrar ({}).',
  'The account no longer lets us in ({}).': 'La cuenta ya no nos deja entrar ({}).',
  '{} keeps answering with an error ({}). Its administrator must repair it.':
    '{} responde una y otra vez con un error ({}). Quien lo administra debe repararlo.',
  'A tool keeps answering with {}. Its administrator must repair it, or the address is wrong.':
    'Una herramienta responde una y otra vez algo ilegible ({}). Quien la administra debe repararla, o la dirección es incorrecta.',
  'more than we read at once': 'más de lo que leemos de una vez',
  'more than we can read': 'más de lo que podemos leer',
  'something that is no JSON': 'algo que no es JSON',
  'More than {} records of the tool have the same time ({}). Its search does not show the rest.':
    'Más de {} registros de la herramienta tienen la misma hora ({}). Su búsqueda no muestra el resto.',
  'A file of the tool cannot be downloaded: {}.': 'No se puede descargar un archivo de la herramienta: {}.',
  'its address leads on more than {} times': 'su dirección redirige más de {} veces',
  'its address leads nowhere': 'su dirección no lleva a ninguna parte',
  'its address leads to one with a password': 'su dirección lleva a otra con contraseña',
  'its address leads to one without encryption': 'su dirección lleva a otra sin cifrado',
  'The address of the account leads into a network that this service must not reach. Please connect it with a public address.':
    'La dirección de la cuenta lleva a una red que este servicio no debe alcanzar. Conéctela con una dirección pública.',
  'The tool answered {} {} and sends us on. We do not follow, so that data goes only where you said. If the tool has moved, please connect it again with its new address.':
    'La herramienta respondió {} {} y nos remite a otro sitio. No vamos allí, para que los datos solo lleguen adonde usted dijo. Si la herramienta se ha trasladado, conéctela con su nueva dirección.',
  'The destination says that our request breaks the protocol: {}':
    'El destino dice que nuestra petición incumple el protocolo: {}',
  'There is no longer a destination at its address (404). Please check the address and connect it again.':
    'El destino ya no está en su dirección (404). Compruebe la dirección y vuelva a conectarlo.',
  'The destination does not keep to the protocol: {}. Please tell the partner who runs it; "wherry conformance" shows what to put right.':
    'El destino no respeta el protocolo: {}. Dígaselo al proveedor que lo gestiona; «wherry conformance» muestra qué hay que corregir.',
  'Nothing was written: {}. Either our database was restored from an older copy, or the destination counts wrongly; "wherry conformance" tells which.':
    'No se ha escrito nada: {}. O nuestra base de datos se restauró de una copia anterior, o el destino cuenta mal; «wherry conformance» dice cuál.',
  'The connector for {} does not keep its contract: {}.': 'El conector de {} no cumple su contrato: {}.',
  '{} of {} records were copied, and {} may be: those that are paid for or sponsored and a quarter more, but at least the free records of a sample. Pay for the others, ask the partner to pay, or finish without them.':
    'Se copiaron {} de {} registros y pueden copiarse {}: los pagados o patrocinados, con un cuarto más, y nunca menos que los de las muestras gratuitas. Pague los demás, pida que los patrocinen o termine sin ellos.',
  '{} records were copied, and {} may be: those that are paid for or sponsored and a quarter more, but at least the free records of a sample. Pay for the others, ask the partner to pay, or finish without them.':
    'Se copiaron {} registros y pueden copiarse {}: los pagados o patrocinados, con un cuarto más, y nunca menos que los de las muestras gratuitas. Pague los demás, pida que los patrocinen o termine sin ellos.',
  'One record was imported to see whether the destination sends mail about it: {}. If anybody got one, switch mail off there, as the plan says. Then continue.':
    'Se importó un registro para ver si el destino envía correos por él: {}. Si alguien recibió uno, desactive allí los correos, como dice el plan. Después continúe.',
  'Please connect the source account.': 'Conecte la cuenta de origen.',
  'Please connect the destination account.': 'Conecte la cuenta de destino.',
  'There is no connector from {} to {}.': 'No hay conector de {} a {}.',
  '{} fails to return the first {} ({}).': '{} no consigue entregar los primeros registros: {} ({}).',
  '{} fails to return the next {} ({}).': '{} no consigue entregar los siguientes registros: {} ({}).',
  '{} fails to return {} ({}).': '{} no consigue entregar: {} ({}).',
  'its answer could not be understood': 'su respuesta no se pudo entender',
  'it answered {}': 'respuesta: {}',
  'it could not be reached': 'no responde',
  'So far we have read {} of {} {}.': 'Hasta ahora hemos visto {} de {}: {}.',
  'So far we have read {} {}.': 'Hasta ahora hemos visto {}: {}.',
  'We keep trying.': 'Seguimos intentándolo.',
  '{} returns the same pages of {} again and again: its list does not end.':
    '{} devuelve una y otra vez las mismas páginas, sin fin: {}.',
  'Nothing is lost.': 'No se pierde nada.',
  'The run goes on from here when you try again.': 'La ejecución sigue desde aquí cuando lo intente de nuevo.',
  'You can skip this page: its records are left out, and everything else goes on.':
    'Puede saltar esta página: sus registros quedan fuera y todo lo demás continúa.',
  'A tool has not answered for a long time. We keep trying; nothing is lost.':
    'Una herramienta lleva tiempo sin responder. Seguimos intentándolo; no se ha perdido nada.',
  'Something on our side keeps failing. We have been notified; nothing is lost.':
    'Algo ha fallado una y otra vez por nuestra parte. Estamos informados; no se ha perdido nada.',
  '{} has turned our requests away for about an hour: a limit or a firewall stops us.':
    '{} rechaza nuestras solicitudes desde hace una hora más o menos: un límite o un cortafuegos nos lo impide.',
  '{} has turned our requests away for a day: a limit or a firewall stops us.':
    '{} rechaza nuestras solicitudes desde hace un día: un límite o un cortafuegos nos lo impide.',
  'We keep trying; nothing is lost.': 'Seguimos intentándolo; no se ha perdido nada.',
  'Ask the people who run the tool to let this service in.':
    'Pida a quienes gestionan la herramienta que permitan el acceso a este servicio.',
  'Then try again.': 'Después, inténtelo de nuevo.',
  'Its last answer: {}.': 'Última respuesta: {}.',
  '{} asked us to wait until {} UTC (Retry-After). We ask again after an hour at the latest; nothing is lost.':
    '{} nos pidió esperar hasta {} UTC (Retry-After). Volvemos a preguntar en una hora como máximo; no se ha perdido nada.',
  '{} allows fewer requests at a time than one step of this run needs. The run tries again at {} UTC, and gets further only with a higher limit. Nothing is lost.':
    '{} permite menos solicitudes a la vez de las que necesita un paso de esta ejecución. Se intenta de nuevo a las {} UTC; solo avanza con un límite más alto. No se pierde nada.',
  '{} allows a limited number of requests, and they are used up until {} UTC. The run then goes on by itself; nothing is lost.':
    '{} permite un número limitado de peticiones, y están agotadas hasta {} UTC. Después continúa por sí solo; no se ha perdido nada.',
  'A tool': 'Una herramienta',
  'The destination': 'El destino',
  'Support has paused the import.': 'El soporte lo ha puesto en pausa.',
  'You have paused the import.': 'Usted lo ha puesto en pausa.',
  'The message was outdated before it could be sent.': 'El mensaje no se pudo enviar mientras era actual.',
  'the mail server took too long': 'El servidor de correo tardó demasiado.',
  'the mail server could not be reached': 'No se pudo contactar con el servidor de correo.',
  'Intercom does not accept this access token. Check the region of the workspace, too.':
    'Intercom no acepta este token de acceso. Compruebe también la región del espacio de trabajo.',
  'The plan of this Intercom workspace has no tickets.':
    'El plan de este espacio de trabajo de Intercom no incluye tickets.',
  'The workspace has tickets.': 'El espacio de trabajo tiene tickets.',
  'Choose a plan with tickets, or copy contacts, companies and articles only.':
    'Elija un plan con tickets o copie solo contactos, empresas y artículos.',
  'Files arrive in Intercom as notes. Teammates see them, customers do not.':
    'Los archivos llegan a Intercom como notas. El equipo los ve, los clientes no.',
  'Intercom keeps descriptions of tickets and public replies as plain text. Formatting in them is lost; notes and articles keep it.':
    'Intercom guarda las descripciones de los tickets y las respuestas públicas como texto sin formato. Su formato se pierde; las notas y los artículos lo conservan.',
  'Zendesk does not know this e-mail address and API token.':
    'Zendesk no conoce esta dirección de correo y este token de API.',
  'This user is no administrator. Zendesk lets only administrators export and import tickets.':
    'Este usuario no es administrador. Zendesk solo permite a los administradores exportar e importar tickets.',
  'Only administrators of Zendesk may import tickets.': 'Solo los administradores de Zendesk pueden importar tickets.',
  'Connect Zendesk as an administrator.': 'Conecte Zendesk como administrador.',
  'Zendesk adds nothing to closed tickets. Comments and files that come in a later run are refused.':
    'Zendesk no añade nada a los tickets cerrados. Se rechazan los comentarios y archivos que llegan en una ejecución posterior.',
  'Zendesk sends the requester a mail about each public comment that a later run adds to a copied ticket. New tickets and the comments in them cause no mail.':
    'Zendesk envía al solicitante un correo por cada comentario público que una ejecución posterior añade a un ticket copiado. Los tickets nuevos y sus comentarios no causan ningún correo.',
  'Before you copy later changes, turn off the trigger "Notify requester and CCs of comment update" and followers. Turn them on again afterwards.':
    'Antes de copiar los cambios posteriores, desactive el disparador «Notify requester and CCs of comment update» y los seguidores. Actívelos de nuevo después.',
  'Files that cannot be sent together with their ticket arrive as internal notes. Zendesk sends a mail about each of them to the agent and the followers of the ticket.':
    'Los archivos que no se pueden enviar junto con su ticket llegan como notas internas. Zendesk envía un correo sobre cada una al agente y a los seguidores del ticket.',
  'To avoid these mails, turn off followers and the trigger "Notify assignee of comment update" until the import is done.':
    'Para evitar estos correos, desactive los seguidores y el disparador «Notify assignee of comment update» hasta que termine la importación.',
  'To get those as well, map the status closed to solved. Zendesk closes solved tickets by itself.':
    'Para recibirlos también, asigne el estado «closed» a «solved». Zendesk cierra por sí mismo los tickets resueltos.',
  'Please connect it again as an administrator.': 'Conéctelo de nuevo como administrador.',
  'Help Scout does not accept this App ID with this App Secret, or this Docs API key.':
    'Help Scout no acepta este App ID con este App Secret, o esta clave API de Docs.',
  'Tickets go to the inbox "{}", unless the mapping names another one.':
    'Los tickets van al buzón «{}», salvo que la asignación nombre otro.',
  'The user sees no inbox of Help Scout, so there is no place for tickets.':
    'El usuario no ve ningún buzón de Help Scout, así que no hay sitio para los tickets.',
  'Give the user access to an inbox in Help Scout, and check again.':
    'Dé al usuario acceso a un buzón en Help Scout y compruébelo de nuevo.',
  'Please connect it again with the App ID and the App Secret of a user who may use the API.':
    'Vuelva a conectarlo con el App ID y el App Secret de un usuario que pueda usar la API.',
  'Freshdesk does not know this API key.': 'Freshdesk no conoce esta clave de API.',
  'This agent sees only some of the tickets. Connect Freshdesk with the API key of an administrator.':
    'Este agente solo ve una parte de los tickets. Conecte Freshdesk con la clave de API de un administrador.',
  'This agent is no administrator. Freshdesk shows groups and fields only to administrators.':
    'Este agente no es administrador. Freshdesk solo muestra grupos y campos a los administradores.',
  'Please connect it again with the API key of an administrator.':
    'Vuelva a conectarlo con la clave de API de un administrador.',
  'Freshdesk sends its usual e-mail notifications about new tickets and public notes. No request can prevent that.':
    'Freshdesk envía sus notificaciones habituales por correo sobre tickets nuevos y notas públicas. Ninguna petición puede evitarlo.',
  'In Freshdesk, switch off the e-mail notifications and automations for the time of the import.':
    'En Freshdesk, desactive las notificaciones por correo y las automatizaciones mientras dure la importación.',
  'Freshdesk keeps no times of creation. A line above each text says when it was written, and by whom.':
    'Freshdesk no conserva las fechas de creación. Una línea encima de cada texto dice cuándo se escribió y quién lo escribió.',
  'All comments arrive as notes, because Freshdesk would mail replies to your customers.':
    'Todos los comentarios llegan como notas, porque Freshdesk enviaría las respuestas por correo a sus clientes.',
  'Freshdesk takes 20 MB of files for one ticket. It refuses the files beyond that.':
    'Freshdesk acepta 20 MB de archivos por ticket. Rechaza los archivos que superan ese límite.',
  'Freshdesk requires fields of every ticket, and refuses tickets without them: {}.':
    'Freshdesk exige campos en cada ticket y rechaza los tickets sin ellos: {}.',
  'In Freshdesk, make these fields optional for the time of the import, or map a field of the source to each.':
    'En Freshdesk, haga opcionales estos campos mientras dure la importación o asigne a cada uno un campo del origen.',
  'Freshdesk gives articles the time of their arrival. Views and votes of articles are not copied.':
    'Freshdesk da a los artículos la fecha de su llegada. Las visitas y los votos de los artículos no se copian.',
  'All articles arrive in the main language of the account, whatever their language is. Translations are not copied.':
    'Todos los artículos llegan en el idioma principal de la cuenta, sea cual sea su idioma. Las traducciones no se copian.',
  'In Freshdesk the folder decides who may read an article. Articles for agents go to a folder of their own, beside the public one.':
    'En Freshdesk la carpeta decide quién puede leer un artículo. Los artículos para agentes van a una carpeta propia, junto a la pública.',
  'This Freshdesk has no knowledge base, or the agent may not see it. Categories and articles are not copied.':
    'Este Freshdesk no tiene base de conocimientos, o el agente no puede verla. Las categorías y los artículos no se copian.',
  'To copy them, switch the knowledge base on in Freshdesk, and check again.':
    'Para copiarlos, active la base de conocimientos en Freshdesk y compruebe de nuevo.',
  'Collections and articles go to the Docs site "{}".': 'Las colecciones y los artículos van al sitio de Docs «{}».',
  'Help Scout gives articles the time of their arrival, and the user of the key as their author. Views and ratings are not copied.':
    'Help Scout da a los artículos la fecha de su llegada y, como autor, el usuario de la clave. Las visitas y las valoraciones no se copian.',
  'Names of articles are unique in a collection. The second article of one name gets a number behind it.':
    'Los nombres de los artículos son únicos en una colección. El segundo artículo de un mismo nombre recibe un número detrás.',
  'Everyone can see the names of new collections and categories. Articles for agents go to private categories.':
    'Todos pueden ver los nombres de las colecciones y categorías nuevas. Los artículos para agentes van a categorías privadas.',
  'Help Scout has collections and categories, and nothing below. Categories further inside become categories of the collection.':
    'Help Scout tiene colecciones y categorías, y nada por debajo. Las categorías más interiores pasan a ser categorías de la colección.',
  'Help Scout lists no files under an article. A line at the end of the text links to each of them.':
    'Help Scout no lista archivos debajo de un artículo. Una línea al final del texto enlaza con cada uno de ellos.',
  'This Help Scout has no Docs site, or the user of the key may not see it. Categories and articles are not copied.':
    'Este Help Scout no tiene ningún sitio de Docs, o el usuario de la clave no puede verlo. Las categorías y los artículos no se copian.',
  'Without a Docs API key, categories and articles are not copied.':
    'Sin una clave de API de Docs, las categorías y los artículos no se copian.',
  'To copy them, make a Docs site in Help Scout, and check again.':
    'Para copiarlos, cree un sitio de Docs en Help Scout y compruebe de nuevo.',
  'To copy them, connect Help Scout again with a Docs API key.':
    'Para copiarlos, conecte Help Scout de nuevo con una clave de API de Docs.',
}
