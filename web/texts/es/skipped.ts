import type { skipped as en } from '../en/skipped.ts'

const notCopied = (one: string, many: string) => (count: number, shown: string) =>
  count === 1 ? `No se copió 1 ${one}.` : `No se copiaron ${shown} ${many}.`

export const skipped: typeof en = {
  heading: 'Dejado fuera a propósito',
  stays: (source) => `Se quedan en ${source}.`,
  kinds: {
    account_links: (count, shown) =>
      `No se copiaron los enlaces de ${count === 1 ? '1 empresa' : `${shown} empresas`} con otras empresas, si los hay.`,
    activities_elsewhere: notCopied('llamada, reunión o tarea', 'llamadas, reuniones y tareas'),
    approvals: notCopied('aprobación', 'aprobaciones'),
    article_translations: notCopied('traducción de un artículo', 'traducciones de artículos'),
    articles: notCopied('artículo de la base de conocimientos', 'artículos de la base de conocimientos'),
    assets: notCopied('activo del inventario', 'activos del inventario'),
    call_logs: notCopied('registro de llamada', 'registros de llamadas'),
    community_posts: notCopied('publicación del foro de la comunidad', 'publicaciones del foro de la comunidad'),
    custom_posts: notCopied(
      'texto de un tipo distinto de entrada o página',
      'textos de tipos distintos de entrada o página',
    ),
    custom_records: notCopied('registro de un objeto personalizado', 'registros de objetos personalizados'),
    deleted_tickets: notCopied('ticket borrado', 'tickets borrados'),
    files_elsewhere: notCopied('archivo de un registro de otro tipo', 'archivos de registros de otros tipos'),
    forum_topics: notCopied('tema de un foro', 'temas de foros'),
    history_entries: notCopied(
      'anotación del historial, como un cambio de estado',
      'anotaciones del historial, como cambios de estado',
    ),
    invoices: notCopied('factura', 'facturas'),
    leads: notCopied('lead', 'leads'),
    menu_items: notCopied('elemento de menú', 'elementos de menú'),
    messages: notCopied('mensaje de mensajería', 'mensajes de mensajería'),
    news: notCopied('noticia', 'noticias'),
    newsletters: notCopied('boletín', 'boletines'),
    note_comments: (count, shown) =>
      `No se copiaron los comentarios de ${count === 1 ? '1 nota' : `${shown} notas`}, si los hay.`,
    notes_elsewhere: notCopied('nota de un registro de otro tipo', 'notas de registros de otros tipos'),
    offers: notCopied('oferta para miembros', 'ofertas para miembros'),
    other_help_centers: notCopied('Help Center de otra marca', 'Help Centers de otras marcas'),
    pingbacks: notCopied('pingback o trackback', 'pingbacks o trackbacks'),
    products: notCopied('producto', 'productos'),
    projects_elsewhere: notCopied('proyecto', 'proyectos'),
    reminders: notCopied('recordatorio', 'recordatorios'),
    reusable_blocks: notCopied('bloque reutilizable', 'bloques reutilizables'),
    revisions: notCopied('versión anterior de un texto', 'versiones anteriores de textos'),
    sales: notCopied('venta', 'ventas'),
    satisfaction_ratings: notCopied('valoración de un cliente', 'valoraciones de clientes'),
    saved_queries: notCopied('consulta guardada', 'consultas guardadas'),
    sensitive_fields: notCopied('campo para datos sensibles', 'campos para datos sensibles'),
    spam_comments: notCopied('comentario marcado como spam', 'comentarios marcados como spam'),
    spam_tickets: notCopied('ticket marcado como spam', 'tickets marcados como spam'),
    suspended_tickets: notCopied('ticket suspendido', 'tickets suspendidos'),
    system_users: notCopied('usuario del propio sistema', 'usuarios del propio sistema'),
    tickets_elsewhere: notCopied('ticket', 'tickets'),
    tiers: notCopied('nivel de pago', 'niveles de pago'),
    time_entries: notCopied('registro de tiempo', 'registros de tiempo'),
    trashed_comments: notCopied('comentario de la papelera', 'comentarios de la papelera'),
    trashed_pages: notCopied('página de la papelera', 'páginas de la papelera'),
    trashed_posts: notCopied('entrada de la papelera', 'entradas de la papelera'),
  },
}
