import type { Language } from '../languages.ts'

export interface CertificateWords {
  title: string
  kinds: Record<string, string>
  importId: string
  runId: string
  tools: string
  service: string
  started: string
  finished: string
  startedBy: string
  approvedBy: string
  nobody: string
  records: string
  kind: string
  outcome: string
  all: string
  ofThisRun: string
  exceptions: string
  none: string
  compared: (records: string, agree: string, differ: string) => string
  deletions: (removed: string, deleted: string, gone: string) => string
  signature: string
  howTo: string
}

/** The words around the facts. Entities, outcomes and codes are written as in the signed document. */
export const certificateWords: Record<Language, CertificateWords> = {
  en: {
    title: 'Certificate of the import',
    kinds: { full: 'Full migration', delta: 'Changes since', retry: 'Retry', removal: 'Removal', undo: 'Undo' },
    importId: 'Import',
    runId: 'Run',
    tools: 'From and to',
    service: 'Service',
    started: 'Started',
    finished: 'Finished',
    startedBy: 'Started by',
    approvedBy: 'Approved by',
    nobody: 'not recorded',
    records: 'Records',
    kind: 'Kind',
    outcome: 'Result',
    all: 'In all',
    ofThisRun: 'By this run',
    exceptions: 'Exceptions',
    none: 'None',
    compared: (records, agree, differ) =>
      `${records} records were read back and compared: ${agree} agree, ${differ} differ.`,
    deletions: (removed, deleted, gone) =>
      `Removed by this import: ${removed}. Deleted in the destination by people: ${deleted}. No longer in the source: ${gone}.`,
    signature: 'Signature',
    howTo: 'The signed file can be checked by anyone with the public keys at this address:',
  },
  de: {
    title: 'Zertifikat des Imports',
    kinds: {
      full: 'Vollständige Übertragung',
      delta: 'Änderungen seither',
      retry: 'Neuer Versuch',
      removal: 'Entfernen',
      undo: 'Rückgängig gemacht',
    },
    importId: 'Import',
    runId: 'Lauf',
    tools: 'Von und nach',
    service: 'Dienst',
    started: 'Begonnen',
    finished: 'Beendet',
    startedBy: 'Gestartet von',
    approvedBy: 'Freigegeben von',
    nobody: 'nicht aufgezeichnet',
    records: 'Datensätze',
    kind: 'Art',
    outcome: 'Ergebnis',
    all: 'Insgesamt',
    ofThisRun: 'Durch diesen Lauf',
    exceptions: 'Ausnahmen',
    none: 'Keine',
    compared: (records, agree, differ) =>
      `${records} Datensätze wurden zurückgelesen und verglichen: ${agree} stimmen überein, ${differ} weichen ab.`,
    deletions: (removed, deleted, gone) =>
      `Von diesem Import entfernt: ${removed}. Im Ziel von Menschen gelöscht: ${deleted}. Nicht mehr in der Quelle: ${gone}.`,
    signature: 'Signatur',
    howTo: 'Jeder kann die signierte Datei mit den öffentlichen Schlüsseln unter dieser Adresse prüfen:',
  },
  es: {
    title: 'Certificado de la importación',
    kinds: {
      full: 'Migración completa',
      delta: 'Cambios desde entonces',
      retry: 'Nuevo intento',
      removal: 'Eliminación',
      undo: 'Deshecho',
    },
    importId: 'Importación',
    runId: 'Ejecución',
    tools: 'Origen y destino',
    service: 'Servicio',
    started: 'Inicio',
    finished: 'Fin',
    startedBy: 'Iniciado por',
    approvedBy: 'Aprobado por',
    nobody: 'sin registrar',
    records: 'Registros',
    kind: 'Tipo',
    outcome: 'Resultado',
    all: 'En total',
    ofThisRun: 'En esta ejecución',
    exceptions: 'Excepciones',
    none: 'Ninguna',
    compared: (records, agree, differ) =>
      `Se releyeron y compararon ${records} registros: ${agree} coinciden, ${differ} difieren.`,
    deletions: (removed, deleted, gone) =>
      `Eliminados por esta importación: ${removed}. Borrados por personas en el destino: ${deleted}. Ya no están en el origen: ${gone}.`,
    signature: 'Firma',
    howTo: 'Cualquiera puede comprobar el archivo firmado con las claves públicas de esta dirección:',
  },
  fr: {
    title: 'Certificat de l’import',
    kinds: {
      full: 'Migration complète',
      delta: 'Changements depuis',
      retry: 'Nouvel essai',
      removal: 'Suppression',
      undo: 'Annulation',
    },
    importId: 'Import',
    runId: 'Exécution',
    tools: 'Source et destination',
    service: 'Service',
    started: 'Début',
    finished: 'Fin',
    startedBy: 'Lancé par',
    approvedBy: 'Approuvé par',
    nobody: 'non enregistré',
    records: 'Enregistrements',
    kind: 'Genre',
    outcome: 'Résultat',
    all: 'En tout',
    ofThisRun: 'Par cette exécution',
    exceptions: 'Exceptions',
    none: 'Aucune',
    compared: (records, agree, differ) =>
      `${records} enregistrements ont été relus et comparés\u00a0: ${agree} concordent, ${differ} diffèrent.`,
    deletions: (removed, deleted, gone) =>
      `Retirés par cet import\u00a0: ${removed}. Supprimés par des personnes dans la destination\u00a0: ${deleted}. Absents de la source\u00a0: ${gone}.`,
    signature: 'Signature',
    howTo: 'Chacun peut vérifier le fichier signé avec les clés publiques à cette adresse\u00a0:',
  },
}
