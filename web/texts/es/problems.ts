import type { problems as en } from '../en/problems.ts'

export const problems: typeof en = {
  byCode: {
    author_missing: {
      what: 'Los autores de estos registros ya no tienen cuenta en {source}. Las copias no figuran a su nombre.',
      fix: 'Elija un autor en {destination}, si es importante.',
    },
    comments_left_out: {
      what: 'Los lectores comentaron estos artículos en {source}. Los comentarios no se copiaron.',
      fix: 'Siguen en {source}. Conserve el acceso mientras los necesite.',
    },
    deleted: {
      what: 'Alguien borró estos registros en {destination} después de copiarlos.',
      fix: 'Siguen borrados. Puede recuperarlos más abajo.',
    },
    deletion_not_checked: {
      what: '{source} no pudo decir si aún tiene estos registros.',
      fix: 'Copie los cambios otra vez más tarde: entonces preguntamos de nuevo a {source}.',
    },
    differs: {
      what: '{destination} no tiene estos registros tal como se enviaron.',
      fix: 'Compárelos uno a uno: {destination} ha cambiado algo según una regla propia.',
    },
    doubled: {
      what: 'Estos registros están más de una vez en {destination}.',
      fix: '{destination} no nos dejó quitar el repetido. Quítelo allí a mano; la lista los nombra todos.',
    },
    draft_left_out: {
      what: 'Estos artículos tienen en {source} un borrador con cambios que aún no están publicados. El borrador no se copió.',
      fix: 'Publique el borrador en {source} e inicie otra ejecución, o copie su texto a mano.',
    },
    duplicate_id: {
      what: 'Varias filas tienen el mismo identificador. Cada una se convirtió en un registro propio.',
      fix: 'Quite en {destination} los que no necesite.',
    },
    edited: {
      what: 'Alguien cambió estos registros en {destination} después de copiarlos.',
      fix: 'Se quedan allí como están.',
    },
    email_only: {
      what: 'Estas entradas solo se enviaron por correo y nunca estuvieron en su sitio.',
      fix: 'Compruebe si {destination} las muestra.',
    },
    entity_not_taken: {
      what: '{destination} no acepta registros de este tipo.',
      fix: 'Se quedan en {source}.',
    },
    fewer_than_counted: {
      what: '{source} contó más registros de los que entregó.',
      fix: 'Normalmente hay algunos que nadie puede ver, o que se borraron mientras tanto. Use la clave de un administrador si faltan registros.',
    },
    field_unreadable: {
      what: 'Un campo de estos registros contiene algo inesperado. Se dejó fuera.',
      fix: 'Mire estos registros en {source}.',
    },
    file_lost: {
      what: '{source} ha perdido el contenido de estos archivos. Solo quedan sus nombres.',
      fix: 'No queda nada que copiar. Busque los archivos en una copia de seguridad.',
    },
    file_missing: {
      what: 'Estos archivos ya no están en {source}.',
      fix: 'No queda nada que copiar.',
    },
    file_size_differs: {
      what: 'Estos archivos tienen un tamaño distinto del que indica {source}.',
      fix: 'Compárelos, por favor.',
    },
    not_protected: {
      what: 'En {destination} podrían ver estos registros privados más personas que en {source}. No se copiaron.',
      fix: 'Si los quiere de todos modos, permítalo en el plan. Después inténtelo de nuevo.',
    },
    shown_to_more: {
      what: 'En {destination} pueden ver estos registros más personas que en {source}.',
      fix: 'Usted lo permitió en el plan. Quítelos de {destination} si fue un error.',
    },
    audience_narrowed: {
      what: 'No está claro quién puede ver estos registros, o {destination} no ofrece esa opción. Llegaron con menos lectores.',
      fix: 'Ábralos a más personas en {destination}, o elija en la correspondencia qué será cada valor.',
    },
    parent_missing: {
      what: 'Estos registros pertenecen a algo que no se copia, como un comentario sobre un archivo. No se copiaron.',
      fix: 'Se quedan en {source}. Guarde una copia si deja de usar {source}.',
    },
    file_too_large: {
      what: 'Estos archivos son mayores de lo que acepta {destination}. No se copiaron.',
      fix: 'Se quedan en {source}. Guarde una copia si deja de usar {source}.',
    },
    files_left_out: {
      what: 'Algunos campos de estos registros contienen archivos. Esta importación no tiene lugar para archivos de esos registros. No se copiaron.',
      fix: 'Se quedan en {source}. Guarde una copia si deja de usar {source}.',
    },
    follower_left_out: {
      what: 'Algunas personas que siguen estos registros no son agentes en {source}. Se dejaron fuera.',
      fix: 'Añádalas en {destination}, si deben seguirlos.',
    },
    followers_left_out: {
      what: 'En {source} hay personas que siguen estos registros. Nadie sigue las copias.',
      fix: 'En {source} no se pierde nada. Pida a esas personas que sigan en {destination} las copias que les importan.',
    },
    group_watcher_left_out: {
      what: 'Un grupo sigue estos registros. Solo se copiaron como seguidores las personas individuales.',
      fix: 'Añada en {destination} a las personas del grupo, si deben seguirlos.',
    },
    back_in_source: {
      what: 'Estos registros se quitaron porque {source} ya no los tenía. Ahora {source} los tiene otra vez.',
      fix: 'Inténtelo de nuevo para copiarlos otra vez.',
    },
    beyond_sample: {
      what: 'Estos registros quedaron fuera de la muestra: las muestras son gratuitas para un número limitado de registros.',
      fix: 'La migración completa los copia.',
    },
    list_withheld: {
      what: '{source} no nos abre una lista de estos registros, por ejemplo porque su plan no la incluye. Si la lista tiene registros, no se copiaron.',
      fix: 'Elija un plan de {source} que incluya estos registros, o una clave que pueda leerlos. Copie después los cambios.',
    },
    merged: {
      what: 'Estos registros se unieron con otro registro copiado, por ejemplo con uno del mismo nombre o de la misma dirección. {destination} guarda uno solo para ambos.',
      fix: 'La lista nombra el otro registro. Si deben quedar separados, cambie el nombre de uno en {source} y repita, si {destination} acepta más de uno.',
    },
    not_paid: {
      what: 'Estos registros no se copiaron porque nadie los ha pagado.',
      fix: 'Páguelos, o pida al socio que los pague. Después inténtelo de nuevo.',
    },
    gone_from_source: {
      what: 'Estos registros ya no están en {source}.',
      fix: 'Siguen en {destination}. Quítelos de allí o consérvelos, más abajo.',
    },
    held: {
      what: 'Estos registros están a la espera de un registro al que pertenecen, que no llegó.',
      fix: 'Llegarán por sí solos cuando llegue ese registro.',
    },
    image_missing: {
      what: 'La imagen destacada de estos registros se borró en {source}.',
      fix: 'Elija otra en {destination}, si quiere.',
    },
    kept: {
      what: 'Estos registros no se quitaron.',
      fix: 'El informe dice por qué en cada caso. Quítelos a mano si no deben quedarse.',
    },
    link_labels_left_out: {
      what: '{source} tiene etiquetas en enlaces de estos registros. Los enlaces se copiaron sin las etiquetas.',
      fix: 'En {source} no se pierde nada. Anote las etiquetas en {destination} a mano, si son importantes.',
    },
    link_left_out: {
      what: 'Estos registros enlazan con otro que está borrado o que nadie puede ver. El enlace se dejó fuera.',
      fix: 'No hay que hacer nada.',
    },
    link_not_rewritten: {
      what: 'Algunos enlaces de estos textos siguen llevando a {source}.',
      fix: 'El registro enlazado llegó después o no llegó, y {destination} no puede cambiar un texto. Cambie allí los enlaces a mano, si son importantes.',
    },
    link_stray: {
      what: 'Algunos enlaces de estos textos no nombran ningún sitio, y nadie puede saber a cuál pertenecían.',
      fix: 'Los enlaces quedan como estaban. Abra un registro para verlos y escriba la dirección completa en {destination}.',
    },
    link_to_source: {
      what: 'Algunos enlaces de estos textos siguen llevando a {source}, porque las páginas enlazadas no se copiaron.',
      fix: 'Abra un registro para ver las direcciones, o búsquelas en el informe. Cámbielas en {destination} antes de dejar de usar {source}.',
    },
    messages_left_out: {
      what: '{source} guarda correos o chats de estos registros en un buzón. Estos mensajes no se copiaron.',
      fix: 'Siguen en {source}. Conserve el acceso mientras los necesite.',
    },
    only_first_kept: {
      what: '{destination} acepta un solo valor donde {source} tiene varios. Se conservó el primero.',
      fix: 'Compare estos registros con sus originales.',
    },
    option_not_offered: {
      what: 'Estos registros tienen una opción que {destination} no ofrece. Se dejó vacía.',
      fix: 'Elija en la correspondencia en qué se convierte cada una.',
    },
    parent_not_moved: {
      what: 'Estos comentarios responden a algo que no se copia: se borró, es spam o es de otro tipo.',
      fix: 'Compare algunos de ellos con {source}.',
    },
    plan_not_moved: {
      what: 'Estos miembros pagan una suscripción. Sus pagos no se copiaron.',
      fix: 'Ofrézcales una suscripción en {destination} y termine la de {source}.',
    },
    refused: {
      what: '{destination} rechazó estos registros.',
      fix: 'La lista da el motivo de cada uno. Corríjalo y después inténtelo de nuevo.',
    },
    relation_delay_lost: {
      what: 'Estas incidencias siguen a otra al cabo de unos días. El número de días no se copió.',
      fix: 'Compruebe las fechas de estas incidencias en {destination}.',
    },
    relation_lost: {
      what: 'Se dejó fuera un enlace con otro registro, porque ese registro no se copió.',
      fix: 'Copie también esos registros, si necesita los enlaces.',
    },
    relations_left_out: {
      what: 'Se dejó fuera {count} enlace con otro registro: no cabe en la copia.|Se dejaron fuera {count} enlaces con otros registros: no caben en las copias.',
      fix: 'Abra un registro en {source} para ver todos sus enlaces.',
    },
    required_empty: {
      what: 'A estos registros les falta un campo que deberían tener.',
      fix: 'Rellénelo en {source}, o indique en la correspondencia un valor para todos.',
    },
    row_skipped: {
      what: 'Estas filas de sus archivos no se pueden leer. Se dejaron fuera.',
      fix: 'Sus líneas se indicaron cuando usted subió los archivos. Corríjalas y suba los archivos de nuevo.',
    },
    source_page_skipped: {
      what: '{source} no pudo entregar estos registros, así que se saltaron.',
      fix: 'Pida a quien administra {source} que los repare y copie después los cambios: los registros saltados se leen de nuevo. Donde {source} no cuenta sus registros, el número es el de las páginas saltadas.',
    },
    source_rest_skipped: {
      what: '{source} no pudo entregar una página. No se leyó ni esa página ni nada posterior.',
      fix: 'Pida a quien administra {source} que la repare y copie después los cambios: todo lo que falta se lee de nuevo.',
    },
    steps_not_applied: {
      what: 'Estos valores son demasiado largos para los cambios que usted definió. Se copiaron tal como están.',
      fix: 'Cámbielos a mano en {destination}.',
    },
    text_cut: {
      what: 'Estos textos son más largos de lo que acepta {destination}. Se cortaron.',
      fix: 'Guarde los originales, o acórtelos en {source} y repita.',
    },
    tiers_not_moved: {
      what: 'En {source} solo pueden leer estos registros algunos niveles de miembros. Los niveles no se copiaron.',
      fix: 'Compruebe en {destination} quién puede leerlos.',
    },
    truncated_by_source: {
      what: '{source} no entrega {count} parte de estos registros, como un comentario antiguo.|{source} no entrega {count} partes de estos registros, como comentarios antiguos.',
      fix: 'Se quedan en {source}. Abra allí los registros para leerlas.',
    },
    unknown: {
      what: 'No es posible averiguar si estos registros llegaron.',
      fix: 'No se enviaron de nuevo. Búsquelos en {destination}; la lista los nombra.',
    },
    unnamed_in_source: {
      what: '{source} envió estos registros sin identificador. No se copiaron.',
      fix: 'Pida a quien administra {source} que los repare.',
    },
    user_kept_as_name: {
      what: 'Estos registros nombran a personas que aún no tienen cuenta en {destination}. Sus nombres figuran en los registros.',
      fix: 'Invite a estas personas en {destination}. Después, aplíquelo a estos registros en Personas.',
    },
    user_not_matched: {
      what: 'Estos registros nombran a personas que no tienen cuenta en {destination}. Allí no aparecen.',
      fix: 'Elija a alguien para ellas en Personas. Allí puede aplicarlo a estos registros.',
    },
    user_replaced: {
      what: 'Estos registros nombran a personas que no tienen cuenta en {destination}. La persona que usted eligió figura en su lugar.',
      fix: 'Elija a otra persona en Personas, si quiere.',
    },
    value_does_not_fit: {
      what: 'Un valor no cabe en el campo de {destination}. Se dejó vacío.',
      fix: 'Envíe el campo a otro sitio en la correspondencia, por ejemplo a un campo de texto.',
    },
    withheld_by_source: {
      what: '{source} tiene {count} registro más, por ejemplo archivado, y no lo entrega.|{source} tiene {count} registros más, por ejemplo archivados, y no los entrega.',
      fix: 'Se quedan en {source}. Si los necesita, pida a quien administra {source} que los saque del archivo y copie después los cambios.',
    },
    value_unreadable: {
      what: 'Un valor no encaja en su columna, por ejemplo un día que no existe. Se dejó fuera.',
      fix: 'Abra un registro para ver el archivo y la línea. Corrija el valor allí, o en {destination}.',
    },
    vanished: {
      what: 'Estos registros desaparecieron de {source} antes de copiarlos.',
      fix: 'No están en {destination}. Si vuelven a estar en {source}, inténtelo de nuevo.',
    },
  },
  ofTexts: {
    anchor_removed:
      '{count} enlace dentro de un texto no lleva a ninguna parte en {destination}. Sus palabras siguen ahí.|{count} enlaces dentro de textos no llevan a ninguna parte en {destination}. Sus palabras siguen ahí.',
    audio_linked: '{count} sonido es ahora un enlace.|{count} sonidos son ahora enlaces.',
    caption_moved:
      '{count} pie de foto es ahora un párrafo: {destination} no tiene pies de foto.|{count} pies de foto son ahora párrafos: {destination} no tiene pies de foto.',
    code_simplified:
      '{count} fragmento de código llegó línea por línea: {destination} lo habría tomado por marcado.|{count} fragmentos de código llegaron línea por línea: {destination} los habría tomado por marcado.',
    details_opened:
      '{count} parte plegable de un texto se muestra siempre.|{count} partes plegables de textos se muestran siempre.',
    embed_linked:
      '{count} elemento incrustado, como un mapa, es ahora un enlace.|{count} elementos incrustados, como mapas, son ahora enlaces.',
    embed_removed:
      'Se quitó {count} elemento incrustado sin dirección.|Se quitaron {count} elementos incrustados sin dirección.',
    form_removed:
      'Se quitó un formulario de {count} texto. Sus palabras siguen ahí.|Se quitaron formularios de {count} textos. Sus palabras siguen ahí.',
    formatting_removed:
      '{destination} no puede dar a {count} fragmento de texto el formato que tenía, como subrayado o dentro de una palabra.|{destination} no puede dar a {count} fragmentos de texto el formato que tenían, como subrayado o dentro de una palabra.',
    highlight_removed:
      '{count} fragmento de texto resaltado es ahora texto normal.|{count} fragmentos de texto resaltados son ahora texto normal.',
    image_removed:
      'Se quitó {count} imagen que {destination} no puede mostrar.|Se quitaron {count} imágenes que {destination} no puede mostrar.',
    link_as_text:
      '{count} enlace figura como texto junto a sus palabras: {destination} no puede enlazar con esa dirección.|{count} enlaces figuran como texto junto a sus palabras: {destination} no puede enlazar con esas direcciones.',
    link_removed:
      'Se quitó {count} enlace sin dirección utilizable. Sus palabras siguen ahí.|Se quitaron {count} enlaces sin dirección utilizable. Sus palabras siguen ahí.',
    list_flattened:
      '{count} elemento de una lista contenía más que líneas. Todo en él se convirtió en líneas.|{count} elementos de listas contenían más que líneas. Todo en ellos se convirtió en líneas.',
    list_start_removed:
      '{count} lista numerada empezaba por otro número. {destination} empieza por 1.|{count} listas numeradas empezaban por otro número. {destination} empieza por 1.',
    markup_kept_as_text:
      'El marcado de {count} texto no se pudo leer. Llegó tal como se escribió.|El marcado de {count} textos no se pudo leer. Llegó tal como se escribió.',
    nesting_flattened:
      '{count} texto tenía muchísimos niveles. Los interiores se unieron.|En {count} lugares, los textos tenían muchísimos niveles. Los interiores se unieron.',
    plain_only:
      '{count} texto perdió su formato: {destination} guarda solo las palabras.|{count} textos perdieron su formato: {destination} guarda solo las palabras.',
    script_removed: 'Se quitó un script de {count} texto.|Se quitaron scripts de {count} textos.',
    style_removed:
      'Se quitaron colores, tamaños y otros estilos de {count} texto.|Se quitaron colores, tamaños y otros estilos de {count} textos.',
    table_flattened:
      '{count} celda de una tabla contenía más que líneas. Todo en ella se convirtió en líneas.|{count} celdas de tablas contenían más que líneas. Todo en ellas se convirtió en líneas.',
    table_span_removed:
      '{count} celda combinada de una tabla llegó como celda simple.|{count} celdas combinadas de tablas llegaron como celdas simples.',
    tag_removed:
      'Se quitó un elemento desconocido de {count} texto. Sus palabras siguen ahí.|Se quitaron elementos desconocidos de {count} textos. Sus palabras siguen ahí.',
    terms_listed:
      '{count} lista de términos es ahora una lista sencilla.|{count} listas de términos son ahora listas sencillas.',
    too_complex:
      '{count} texto tardaba demasiado en convertirse. Sus palabras llegaron como texto simple, sin formato.|{count} textos tardaban demasiado en convertirse. Sus palabras llegaron como texto simple, sin formato.',
    video_linked: '{count} vídeo es ahora un enlace.|{count} vídeos son ahora enlaces.',
  },
  textFix: 'Compare algunos de estos textos con sus originales.',
  losses: {
    address_refused: '{destination} no acepta una dirección de correo de estas personas. Llegaron sin ella.',
    assignee_refused:
      '{destination} no aceptó a los responsables de estos registros. Los nuevos no están asignados a nadie, los demás conservan su responsable.',
    author_not_kept:
      'Estos textos figuran con otro nombre en {destination}. Una línea en ellos dice quién los escribió.',
    author_replaced:
      'Los autores de estos registros son desconocidos o no tienen cuenta en {destination}. Las copias llevan el nombre del usuario de la cuenta conectada o del propietario del sitio.',
    comment_simplified:
      '{destination} admite poco o ningún formato en estos textos. Las listas, los títulos o las imágenes se convirtieron en líneas o enlaces.',
    custom_value_refused: '{destination} no aceptó un valor de un campo personalizado.',
    domain_refused: '{destination} no acepta un dominio de estas organizaciones. Llegaron sin dominios.',
    due_kept_as_draft: 'Estos registros debían publicarse en un momento que ya ha pasado. Llegaron como borradores.',
    kept_for_agents:
      'Los clientes podían ver estos mensajes o archivos en {source}. Llegaron como notas internas, que solo ven los agentes.',
    milestone_refused: '{destination} no aceptó el hito de estos registros.',
    moment_not_kept: '{destination} no puede guardar una fecha de estos registros, por ejemplo una anterior a 1970.',
    parent_refused: '{destination} no permitió que estos registros estén por debajo de otro.',
    person_chosen:
      'No se conocía ningún responsable ni autor de estos registros. {destination} exige uno, así que las copias nombran al usuario de la cuenta conectada.',
    person_replaced:
      '{destination} rechazó al responsable o al autor de estos registros. Las copias nombran al usuario de la cuenta conectada.',
    phone_refused: '{destination} no acepta un número de teléfono de estas personas. Llegaron sin él.',
    picture_hidden:
      'Las imágenes de estos textos públicos eran solo para agentes. Se quitaron de los textos y llegan como notas internas.',
    private_kept_as_draft:
      'Estos registros eran privados. {destination} no pudo mantenerlos privados, así que allí son borradores.',
    probability_adjusted:
      '{destination} no acepta la probabilidad de estas etapas. Llegaron con la más cercana que acepta.',
    relation_refused: '{destination} no aceptó un enlace entre estos registros.',
    stage_chosen: 'Estas oportunidades no tenían fase. {destination} exige una, así que llegaron en la primera.',
    status_refused: '{destination} no aceptó el estado de estos registros.',
    tags_left_out: '{destination} no admite todas las etiquetas de estos registros. Algunas o todas se dejaron fuera.',
    text_shortened: '{destination} conservó solo el comienzo de estos textos largos.',
    watcher_refused: '{destination} rechazó a seguidores de estos registros. Llegaron sin ellos.',
  },
  lossFix: 'Compare estos registros con sus originales.',
  fieldNotTaken: (field) => ({
    what: `{destination} no tiene ningún campo para «${field}», así que no se copia.`,
    fix: 'Envíelo a otro campo en la correspondencia, si hay uno que encaje.',
  }),
  fieldNotProtected: (field) => ({
    what: `En {source} solo algunas personas ven «${field}». En {destination} lo vería todo el que ve el registro, así que no se copia.`,
    fix: 'Elija un campo para él en la correspondencia, si todos pueden verlo.',
  }),
  ofUploads: {
    too_many_files: 'Hay demasiados archivos. Suba menos, o junte los del mismo tipo.',
    too_large: 'Es demasiado grande. Suba menos a la vez, o guarde las tablas como CSV.',
    bomb_suspected: 'Este archivo ocupa demasiado al descomprimirse. Súbalo solo, sin zip.',
    nested_archive: 'No leemos archivos comprimidos dentro de otros. Descomprímalo y suba sus archivos.',
    encrypted: 'No leemos archivos con contraseña. Guárdelos sin contraseña.',
    unreadable: 'Este archivo está dañado o tiene contraseña. Créelo de nuevo y súbalo.',
    not_csv: 'No leemos este formato. Guarde el archivo como CSV o .xlsx.',
    same_name: 'Un archivo anterior tiene el mismo nombre. Ponga a cada archivo un nombre propio.',
    no_table: 'No es una tabla, o no tiene filas. Compruebe que es el archivo correcto.',
    unknown_entity:
      'Ni el nombre ni las columnas dicen qué son las filas. Elíjalo arriba; si no, el archivo queda fuera.',
    columns_ignored: 'El archivo tiene demasiadas columnas. Ponga las importantes al principio.',
    rows_abandoned: 'A partir de un punto el archivo no se puede leer. Revise allí las comillas y los separadores.',
    rows_skipped: 'Algunas filas no se pueden leer y quedan fuera. Revise allí las comillas y los separadores.',
    ids_repeated: 'Hay filas con el identificador de una fila anterior. Se convierten en registros propios.',
    values_unreadable:
      'Hay valores de una columna que no se pueden leer y quedan vacíos. Corríjalos aquí o en el archivo.',
    reference_not_followed:
      'No podemos seguir una columna que lleva a otros registros. Queda como texto en un campo propio.',
  },
}
