import type { general as en } from '../en/general.ts'
import type { StatusFacts } from '../status-facts.ts'

const record = (count: number) => (count === 1 ? 'registro' : 'registros')

const whoPays = ({ sponsorship, partner }: StatusFacts) =>
  ({
    accepted: `${partner} la paga.`,
    rejected: `${partner} no la paga, así que primero tiene que comprarla usted.`,
    undecided: `${partner} todavía no ha decidido si la paga.`,
  })[sponsorship]

export const general: typeof en = {
  pageTitle: (title, partner) => `${title} · ${partner}`,
  colon: ':',
  sizes: ['B', 'kB', 'MB', 'GB'],
  header: {
    madeFor: 'Su importación',
    family: {
      helpdesk: 'Datos de soporte',
      project: 'Datos de proyectos',
      blog: 'Contenido de blog',
      crm: 'Datos de clientes (CRM)',
    },
  },
  footer: {
    carriedOut: (partner) => `Wherry realiza esta importación para ${partner}.`,
    created: (when) => `Creada el ${when}`,
    reference: 'Referencia para soporte',
    language: 'Idioma',
    languageFailed: 'No se pudo cargar el idioma. Inténtelo de nuevo.',
  },
  tools: { csv: 'Archivos CSV' },
  plates: {
    picture: 'Las dos cuentas',
    from: 'Desde',
    to: 'Hacia',
    access: {
      missing: 'Aún sin conectar',
      given: 'Falta su confirmación',
      checked: 'Conectada',
      lost: 'Requiere su atención',
    },
  },
  loading: {
    title: 'Abriendo su importación',
    text: 'Estamos comprobando en qué punto está.',
  },
  status: {
    collecting_credentials: {
      title: ({ missingAccess }) =>
        missingAccess.length === 1 ? `Falta el acceso a ${missingAccess[0]}` : 'Falta el acceso a las dos cuentas',
      now: ({ source, destination }) =>
        `Todavía no se ha copiado nada. No se ha cambiado nada en ${source} ni en ${destination}.`,
      next: ({ startFull, partner, destination }) =>
        startFull
          ? `En cuanto podamos acceder a las dos cuentas, se copian todos sus datos. ${partner} lo ha pedido así, sin muestra, y lo paga.`
          : `En cuanto podamos acceder a las dos cuentas, la importación comienza con una pequeña muestra, y solo cuando usted la inicie. Usted revisa el resultado en ${destination} antes de que se copie nada más.`,
    },
    waiting_to_start_sample_migration: {
      title: () => 'Todo listo para la muestra',
      now: () => 'Podemos acceder a las dos cuentas. En este momento no se está copiando nada.',
      next: ({ destination }) =>
        `La muestra comienza cuando usted la inicie. Copia unos pocos registros, para que pueda verlos en ${destination} antes de que se copie nada más.`,
    },
    sample_migration_in_progress: {
      title: ({ destination }) => `Copiando una muestra a ${destination}`,
      now: ({ source }) =>
        `Se está copiando una pequeña parte de sus datos. En ${source} no se cambia ni se borra nada.`,
      next: ({ destination }) =>
        `Cuando el último registro esté copiado y leído de nuevo, podrá ver la muestra en ${destination}.`,
    },
    sample_migration_completed: {
      title: ({ destination }) => `La muestra está en ${destination}`,
      now: ({ source, destination }) =>
        `Los registros copiados están en ${destination} para que los revise. En ${source} no se ha cambiado ni borrado nada.`,
      next: (facts) => `La migración completa no empieza sola, solo cuando usted la pida. ${whoPays(facts)}`,
    },
    in_preparation: {
      title: () => 'Todo listo para la migración completa',
      now: () => 'La migración completa está pagada. En este momento no se está copiando nada.',
      next: ({ source, destination }) =>
        `La migración completa copia sus datos de ${source} a ${destination}. En ${source} no se cambia ni se borra nada.`,
    },
    migration_in_progress: {
      title: ({ destination }) => `Copiando sus datos a ${destination}`,
      now: ({ source }) => `En ${source} no se cambia ni se borra nada.`,
      next: () => 'Cuando el último registro esté copiado, esta página se lo dirá y mostrará los números finales.',
    },
    migration_completed: {
      title: ({ destination }) => `Sus datos están en ${destination}`,
      now: ({ source }) => `El último registro se ha copiado. En ${source} no se ha cambiado ni borrado nada.`,
      next: ({ destination, warningCount }) =>
        warningCount > 0
          ? `Ya puede empezar a trabajar en ${destination}. Lea también las notas de más abajo.`
          : `Ya puede empezar a trabajar en ${destination}.`,
    },
    undo_in_progress: {
      title: ({ destination }) => `Retirando de ${destination} los datos copiados`,
      now: ({ source }) => `Solo se quitan los registros que esta importación ha creado. En ${source} no se toca nada.`,
      next: () => 'Cuando se quite el último registro, esta página se lo dirá.',
    },
    migration_cleaned: {
      title: () => 'La importación se ha deshecho',
      now: ({ source, destination }) =>
        `La importación se ha deshecho en ${destination}. En ${source} no se ha tocado nada.`,
      next: () => 'No ocurre nada más, salvo que usted empiece de nuevo.',
    },
  },
  nextHeading: 'Qué pasa después',
  progress: {
    heading: { copying: 'Procesado hasta ahora', removing: 'Procesado hasta ahora' },
    ofTotal: (done, total, count) => `${done} de ${total} ${record(count)}`,
    totalUnknown: (done, count) => `${done} ${record(count)}. El total aún no se conoce.`,
    announced: (title, percent) => `${title}: ${percent} por ciento`,
  },
  items: {
    heading: (destination) => `Ahora en ${destination} gracias a esta importación`,
    entity: {
      accounts: 'Empresas',
      activities: 'Actividades',
      agents: 'Agentes',
      articles: 'Artículos',
      attachments: 'Adjuntos',
      authors: 'Autores',
      boards: 'Tableros',
      canned_responses: 'Respuestas predefinidas',
      categories: 'Categorías',
      closed_stages: 'Fases de oportunidades ganadas y perdidas',
      comments: 'Comentarios',
      components: 'Componentes',
      contacts: 'Contactos',
      countries: 'Países',
      deals: 'Oportunidades',
      field_definitions: 'Campos personalizados',
      groups: 'Grupos',
      issues: 'Incidencias',
      labels: 'Etiquetas',
      leads: 'Clientes potenciales',
      media: 'Archivos multimedia',
      members: 'Miembros',
      memberships: 'Pertenencias',
      milestones: 'Hitos',
      notes: 'Notas',
      organizations: 'Organizaciones',
      pages: 'Páginas',
      party_categories: 'Categorías',
      pipelines: 'Embudos',
      posts: 'Entradas',
      products: 'Productos',
      project_members: 'Miembros de proyectos',
      projects: 'Proyectos',
      redirects: 'Redirecciones',
      relation_types: 'Tipos de relaciones',
      relationships: 'Relaciones',
      sections: 'Secciones',
      stages: 'Fases',
      statuses: 'Estados',
      subscribers: 'Suscriptores',
      tags: 'Etiquetas',
      tasks: 'Tareas',
      teams: 'Equipos',
      tickets: 'Tickets',
      time_entries: 'Registros de tiempo',
      users: 'Usuarios',
      wiki_pages: 'Páginas wiki',
    },
  },
  stale: (time) =>
    `En este momento no podemos contactar con el servicio. Usted ve la situación de las ${time}. Seguimos intentándolo; sus datos no corren peligro.`,
  invalidLink: {
    title: 'Este enlace no abre ninguna importación',
    meaning: 'Puede que esté incompleto, o que un enlace más nuevo lo haya sustituido. Esto no afecta a sus datos.',
    advice: 'Vuelva a la aplicación que le envió aquí y abra la importación otra vez desde allí.',
  },
  signedOut: {
    title: 'Abra de nuevo su importación',
    meaning:
      'Este navegador no tiene la sesión de la importación abierta. La sesión dura siete días desde que usted abre el enlace. No se pierde nada: una migración en curso continúa.',
    advice: 'Vuelva a la aplicación que le envió aquí y abra la importación desde allí.',
  },
  ended: {
    title: { cancelled: 'Esta importación se canceló', archived: 'Esta importación se ha archivado' },
    meaning: {
      cancelled: 'Ya no copia ni cambia nada, y aquí no le queda nada por hacer.',
      archived: 'Está cerrada: ya no copia ni cambia nada, y aquí no le queda nada por hacer.',
    },
    advice: {
      cancelled: (partner) =>
        `Si no lo esperaba, pregunte a ${partner}, que también puede crear una nueva importación.`,
      archived: (partner) => `Si aún necesita algo de ella, pregunte a ${partner}.`,
    },
  },
  unavailable: {
    title: 'En este momento no podemos abrir su importación',
    meaning: 'Nuestro servicio no responde, o su conexión a internet está caída. Esto no afecta a sus datos.',
    retrying: 'Lo intentamos de nuevo cada pocos segundos. En cuanto haya respuesta, esta página continúa sola.',
    tryNow: 'Intentar ahora',
    trying: 'Intentando…',
  },
  cookiesRefused: {
    title: 'Su navegador no guardó nuestra cookie',
    meaning:
      'Esta página necesita una cookie para recordar que usted llegó con el enlace correcto. No se usa para nada más. Esto no afecta a sus datos.',
    advice: 'Permita las cookies de este sitio y abra la importación otra vez desde la aplicación que le envió aquí.',
  },
}
