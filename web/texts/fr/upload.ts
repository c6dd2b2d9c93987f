import type { upload as en } from '../en/upload.ts'

export const upload: typeof en = {
  intro:
    'Des fichiers CSV, un zip qui en contient, ou un classeur Excel (.xlsx) : un seul fichier ou plusieurs à la fois. Nommez chaque fichier ou feuille d’après son contenu, par exemple contacts.csv ou tickets.csv.',
  choose: 'Choisir des fichiers',
  more: 'Ajouter des fichiers',
  files: 'Vos fichiers',
  remove: 'Retirer',
  removeFile: (file) => `Retirer ${file}`,
  uploaded: (size) => `${size}, envoyé`,
  read: 'Lire ces fichiers',
  orDrop: 'ou déposez-les ici',
  sending: (sent, all) => `${sent} sur ${all} envoyés`,
  sendingLabel: (file) => `Envoi de ${file}`,
  reading: 'Lecture de vos fichiers…',
  stop: 'Arrêter',
  broken: 'L’envoi a été interrompu. Choisissez de nouveau les mêmes fichiers : il reprend là où il s’est arrêté.',
  goOn: (file, percent) => `${file} est envoyé à ${percent}. Choisissez de nouveau le même fichier pour continuer.`,
  found: (file) => `Contenu trouvé dans ${file}`,
  rows: (count, one) => `${count} ${one ? 'ligne' : 'lignes'}`,
  holds: (file) => `Ce que contient ${file}`,
  leaveOut: 'Laisser ce fichier de côté',
  columns: (count) => `${count} ${count === '1' ? 'colonne' : 'colonnes'}`,
  columnIs: (column) => `Ce qu’est la colonne ${column}`,
  as: {
    id: 'Son identifiant',
    created_at: 'Sa date de création',
    updated_at: 'Sa date de modification',
    currency: 'Devise',
    custom: 'Un champ personnalisé',
    ignored: 'La laisser de côté',
  },
  textsAre: (column) => `Textes dans ${column}`,
  formats: {
    plain: 'Texte simple : copié tel quel',
    html: 'HTML : les balises deviennent une mise en forme',
    markdown: 'Markdown : les signes deviennent une mise en forme',
  },
  days: {
    heading: 'Comment les dates sont-elles écrites ?',
    question: (column, file) => `Colonne ${column} dans ${file}`,
    dmy: 'Le jour d’abord',
    mdy: 'Le mois d’abord',
    ymd: 'L’année d’abord',
    reading: (example, day) => `${example} est le ${day}`,
    noReading: (example) => `${example} ne peut pas être lu`,
    unreadable: (count, one) =>
      one
        ? `${count} valeur ne peut pas être lue ainsi et est laissée de côté`
        : `${count} valeurs ne peuvent pas être lues ainsi et sont laissées de côté`,
    answerFirst: 'Choisissez comment les dates sont écrites. Rien n’est copié avant.',
  },
  saving: 'Nouvelle lecture…',
  use: 'Utiliser ces fichiers',
  using: 'Connexion…',
  nothingKnown: 'Choisissez ce que contient au moins un fichier.',
  problems: 'Ce que nous n’avons pas pu utiliser',
}
