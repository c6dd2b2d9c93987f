import { words } from './words.ts'

/** Synonyms of the family's fields in English, German, French and Spanish, in the form of `toName`. */
export const fieldNames: Readonly<Record<string, readonly string[]>> = {
  activity: ['taetigkeit', 'activite', 'actividad'],
  annual_revenue: words('revenue umsatz jahresumsatz chiffre_d_affaires ingresos facturacion'),
  assignee: words(`
    assigned_to agent owner bearbeiter zugewiesen_an zustaendig assigne_a responsable attribue_a asignado_a agente`),
  author: words('created_by creator autor verfasser ersteller auteur cree_par redacteur creado_por'),
  author_agent: ['agent', 'autor_agent', 'agente'],
  author_contact: words('author autor verfasser customer kunde auteur client cliente'),
  author_email: ['email', 'e_mail', 'courriel', 'correo', 'correo_electronico'],
  author_name: words('author name autor auteur nom nombre'),
  authors: words('author autor autoren created_by auteur auteurs autores'),
  birthday: words(`
    date_of_birth geburtstag geburtsdatum date_de_naissance anniversaire fecha_de_nacimiento cumpleanos`),
  body: words(`
    description text content message comment inhalt nachricht kommentar beschreibung contenu commentaire texte
    contenido mensaje comentario texto descripcion`),
  channel: ['via', 'kanal', 'canal'],
  closed_at: words(`
    closed closed_on geschlossen_am geschlossen ferme_le cloture_le date_de_cloture cerrado_el fecha_de_cierre`),
  collaborators: words('cc followers ccs collaborateurs copie colaboradores copia'),
  company: ['firma', 'entreprise', 'societe', 'empresa'],
  department: ['abteilung', 'service', 'departement', 'departamento'],
  description: words(`
    beschreibung details body text content message nachricht descripcion contenu texte contenido mensaje texto`),
  domains: words('domain website_domain domaenen domaene domaine domaines dominio dominios'),
  due_at: words(`
    due due_date deadline faellig faellig_am frist echeance date_d_echeance vencimiento fecha_de_vencimiento
    fecha_limite`),
  due_on: words(`
    due due_date deadline faellig faellig_am frist echeance date_d_echeance vencimiento fecha_de_vencimiento
    fecha_limite`),
  email: words(`
    e_mail mail email_address mailadresse e_mail_adresse courriel adresse_e_mail adresse_email correo
    correo_electronico`),
  emails: words(`
    email e_mail mail email_address e_mails mailadresse e_mail_adresse courriel courriels adresse_e_mail
    adresse_email correo correos correo_electronico`),
  employees: words(`
    number_of_employees mitarbeiter mitarbeiterzahl effectif nombre_d_employes empleados numero_de_empleados`),
  estimate_hours: words(`
    estimate estimated_hours schaetzung geschaetzte_stunden estimation heures_estimees estimacion horas_estimadas`),
  expected_close_on: [
    'close_date',
    'expected_close_date',
    'abschlussdatum',
    'date_de_cloture_prevue',
    'fecha_prevista_de_cierre',
  ],
  first_name: ['firstname', 'given_name', 'vorname', 'prenom', 'nombre_de_pila'],
  group: words('team queue gruppe abteilung department groupe equipe grupo equipo'),
  hours: words('stunden time_spent dauer heures duree horas duracion'),
  industry: ['branche', 'secteur', 'secteur_d_activite', 'sector'],
  is_private: words('private privat prive privee privado privada'),
  is_public: ['public', 'oeffentlich', 'publico', 'publica'],
  labels: words('tags label schlagworte schlagwoerter etiquettes mots_cles etiquetas'),
  language: ['locale', 'sprache', 'langue', 'idioma'],
  last_name: words('lastname surname family_name nachname nom_de_famille apellido apellidos'),
  locale: ['language', 'sprache', 'langue', 'idioma'],
  name: words(`
    full_name title display_name bezeichnung vollstaendiger_name titel nom nom_complet intitule nombre
    nombre_completo titre titulo`),
  notes: words('note notiz notizen bemerkung bemerkungen anmerkungen remarque remarques nota notas observaciones'),
  number: words('ticket_number nummer ticketnummer nr numero numero_de_ticket no ticket_no ticket_nr'),
  key: ['issue_key', 'schluessel', 'kuerzel', 'cle', 'clave'],
  organization: words(`
    company organisation account firma unternehmen entreprise societe organizacion empresa compte cuenta`),
  owner: words('assigned_to besitzer zustaendig verantwortlich betreuer proprietaire responsable propietario'),
  parent_account: ['parent'],
  parent_category: ['parent', 'oberkategorie', 'categorie_parente', 'categoria_superior'],
  parent_comment: ['parent', 'in_reply_to'],
  parent_issue: ['parent', 'parent_task', 'uebergeordnete_aufgabe', 'tache_parente', 'tarea_superior'],
  parent_page: ['parent'],
  parent_project: ['parent', 'uebergeordnetes_projekt', 'projet_parent', 'proyecto_superior'],
  parent_ticket: ['parent'],
  phones: words(`
    phone phone_number telephone tel mobile telefon telefonnummer mobil handy telephone_portable
    numero_de_telephone telefono telefono_movil movil`),
  addresses: ['address', 'adresse', 'anschrift', 'adresse_postale', 'direccion'],
  websites: words('website url homepage webseite site_web sitio_web pagina_web'),
  position: words('order sort_order reihenfolge sortierung ordre posicion orden'),
  priority: words('prio prioritaet severity dringlichkeit priorite urgence prioridad urgencia'),
  probability: ['wahrscheinlichkeit', 'probabilite', 'probabilidad'],
  progress_percent: words('progress done fortschritt avancement progression progreso avance'),
  published_at: words(`
    published publish_date veroeffentlicht veroeffentlicht_am publie_le date_de_publication publicado_el
    fecha_de_publicacion`),
  reporter: words('author created_by melder ersteller autor rapporteur cree_par auteur informador creado_por'),
  requester: words(`
    customer contact reporter sender from kunde kontakt anfragender melder absender client demandeur expediteur
    cliente contacto solicitante remitente`),
  slug: ['permalink', 'handle'],
  solved_at: words('solved resolved_at geloest_am resolu_le date_de_resolution resuelto_el fecha_de_resolucion'),
  spent_on: ['date', 'datum', 'tag', 'fecha'],
  start_on: words('start start_date beginn startdatum debut date_de_debut inicio fecha_de_inicio'),
  status: ['state', 'zustand', 'statut', 'etat', 'estado'],
  subject: words('title summary betreff titel thema sujet objet titre asunto titulo'),
  tags: words('tag labels schlagworte schlagwoerter etiquettes mots_cles etiquetas'),
  timezone: ['time_zone', 'zeitzone', 'fuseau_horaire', 'zona_horaria'],
  title: words('subject summary name titel betreff ueberschrift titre sujet titulo asunto'),
  type: words('kind typ art tracker genre tipo'),
  value: words('amount deal_value wert betrag summe montant valeur importe valor'),
  watchers: ['followers', 'beobachter', 'observateurs', 'observadores'],
}

/** Names of columns that any record may have besides its fields. */
export const ownNames: Readonly<Record<'id' | 'created_at' | 'updated_at' | 'currency', readonly string[]>> = {
  id: words('id record_id external_id kennung uid uuid identifiant identificador'),
  created_at: words(`
    created_at created created_on creation_date date_created erstellt erstellt_am angelegt_am cree_le
    date_de_creation creado_el fecha_de_creacion`),
  updated_at: words(`
    updated_at updated updated_on modified last_modified modified_at geaendert geaendert_am aktualisiert_am
    modifie_le mis_a_jour_le date_de_modification actualizado_el modificado_el fecha_de_modificacion`),
  currency: ['currency', 'waehrung', 'devise', 'moneda', 'divisa'],
}

/** Endings of columns that refer to another record or a person: `requester_email`, `kunde_nr`. */
export const referenceEndings: readonly [string, 'id' | 'email' | 'name'][] = [
  ['_ids', 'id'],
  ['_id', 'id'],
  ['_nr', 'id'],
  ['_identifiant', 'id'],
  ['_email', 'email'],
  ['_emails', 'email'],
  ['_e_mail', 'email'],
  ['_mail', 'email'],
  ['_courriel', 'email'],
  ['_correo', 'email'],
  ['_name', 'name'],
  ['_names', 'name'],
  ['_nom', 'name'],
  ['_nombre', 'name'],
  ['_number', 'name'],
  ['_nummer', 'name'],
  ['_numero', 'name'],
  ['_key', 'name'],
]
