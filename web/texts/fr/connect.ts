import type { connect as en } from '../en/connect.ts'
import { of } from './elide.ts'

export const connect: typeof en = {
  title: 'Connectez les deux comptes',
  titleOne: (account) => `Connectez ${account}`,
  titleAgain: 'Vos deux comptes',
  intro: (source) =>
    `À cette étape, nous ne faisons que lire. Rien n’est copié avant que vous ayez vu le plan. Rien n’est jamais modifié ni supprimé dans ${source}.`,
  introAgain: (source) =>
    `Si un mot de passe ou une clé a changé, reconnectez le compte. L’import reprend alors tout seul. Rien n’est jamais modifié ni supprimé dans ${source}.`,
  otherAccount: {
    heading: 'Cela semble être un autre compte',
    words: (destination) =>
      `Des enregistrements du compte connecté auparavant sont dans ${destination}. Les enregistrements de deux comptes ne doivent pas se mélanger. Rien n’a été modifié. Pour utiliser un autre compte, annulez d’abord l’import.`,
    same: 'C’est le même compte à une nouvelle adresse',
    undo: 'Annuler d’abord',
  },
  from: 'De',
  to: 'Vers',
  example: (text) => `Exemple : ${text}`,
  openPage: (tool) => `Ouvrir la page dans ${tool}`,
  oauth: {
    signIn: (tool) => `Se connecter à ${tool}`,
    goingTo: (tool) => `Ouverture ${of(tool)}…`,
    goes: (tool) =>
      `Vous vous connectez sur la page ${of(tool)} et revenez ici. Nous ne voyons jamais votre mot de passe.`,
    where: 'Où se trouve votre compte ?',
    byKey: 'Utiliser plutôt une clé API',
    bySignIn: (tool) => `Se connecter plutôt à ${tool}`,
    endHeading: 'Vous n’êtes pas encore connecté',
    nothingChanged: 'Rien n’a été modifié.',
    ends: {
      denied: (tool) =>
        `Vous n’avez pas autorisé l’accès dans ${tool}. Si c’était une erreur, connectez-vous de nouveau.`,
      expired: () => 'Cette connexion était trop ancienne ou avait déjà servi. Veuillez vous connecter de nouveau.',
      refused: (tool) =>
        `${tool} vous a laissé entrer, mais ne nous montre pas le compte. Connectez-vous avec un compte qui peut tout voir.`,
      other_account: (tool) =>
        `C’est un autre compte ${tool} que celui d’avant. Les enregistrements de deux comptes ne doivent pas se mélanger. Connectez-vous au compte précédent, ou annulez d’abord l’import.`,
      scopes: (tool, scopes) =>
        `${tool} ne nous a pas donné toutes les autorisations dont l’import a besoin. Il manque : ${scopes}. Connectez-vous de nouveau et autorisez tout. Si ${tool} ne vous laisse pas le choix, indiquez ces noms à l’assistance.`,
      not_set_up: (tool) =>
        `${tool} n’accepte pas ce service pour le moment. C’est à nous d’y remédier ; l’assistance peut vous en dire plus.`,
      unavailable: (tool) => `${tool} n’a pas répondu. Veuillez réessayer un peu plus tard.`,
    },
  },
  show: 'Afficher',
  hide: 'Masquer',
  submit: 'Connecter',
  checking: 'Connexion…',
  connected: 'Connecté',
  connectedAs: (name) => `Connecté : ${name}`,
  change: 'Connecter un autre compte',
  changeUpload: 'Envoyer d’autres fichiers',
  keepThis: 'Garder celui qui est connecté',
  given: (partner) => `${partner} nous a donné ce compte avec l’import. Veuillez confirmer que c’est le bon.`,
  confirm: 'Oui, le connecter',
  other: 'Utiliser un autre compte',
  refused: 'Nous n’avons pas pu nous connecter',
  refusedMeaning: 'Rien n’a été modifié, et ce que vous avez tapé n’a pas été gardé.',
  blank: 'Veuillez remplir ce champ.',
  notAllowed: 'Nous ne pouvons pas nous connecter à cette adresse. Vérifiez-la, ou demandez à l’assistance.',
  kept: 'Vos saisies sont gardées chiffrées, ne servent qu’à cet import et sont effacées à la fin.',
  next: 'Dès que les deux sont connectés, nous lisons vos données et vous montrons un plan.',
}
