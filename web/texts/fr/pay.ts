import type { pay as en } from '../en/pay.ts'
import { of } from './elide.ts'

const letters = 'Utilisez des lettres latines, grecques ou cyrilliques.'

export const pay: typeof en = {
  cost: 'Le prix de la migration complète',
  counting: 'Nous indiquons le prix dès que tout est compté.',
  ifYou: (partner) =>
    `C’est le prix si vous la payez vous-même. Il se peut que ${partner} la paie. Cela se décide après l’échantillon.`,
  ifYouNow: 'C’est le prix si vous la payez vous-même.',
  waitsFor: (partner) => `Vous pourrez l’acheter ici dès que ${partner} aura répondu.`,
  noWay: (partner) =>
    `Vous ne pouvez pas encore l’acheter ici : aucun moyen de paiement n’est configuré. Adressez-vous à ${partner}. Rien n’est perdu entre-temps.`,
  youPay: 'L’échantillon est gratuit. Vous ne payez que si vous voulez le reste.',
  difference: (price) => `C’est la différence : le forfait coûte ${price}, et vous en avez payé un plus petit.`,
  package: (name) => `Forfait ${name}`,
  upTo: (records) => `jusqu’à ${records} enregistrements`,
  any: 'nombre d’enregistrements illimité',
  why: (records, parts) => `Dans votre plan, ${records} enregistrements comptent : ${parts}.`,
  whyNone: 'Dans votre plan, aucun enregistrement ne compte encore.',
  whyAbout: (records, parts) => `Dans votre plan, environ ${records} enregistrements comptent : ${parts}.`,
  sponsored: (partner, records) => `${partner} en paie ${records}.`,
  free: 'Leurs commentaires, leurs fichiers et leurs autres parties sont copiés sans être comptés.',
  filters:
    'Vous avez changé vos filtres depuis notre comptage : c’est donc le prix pour tout. Cliquez sur « Regarder de nouveau » pour recompter.',
  holds: (days) =>
    `Quand vous commencez à payer, le prix reste valable ${days === 1 ? '1 jour' : `${days} jours`}, même si vos données dépassent le forfait d’un quart.`,
  held: (when) => `Ce prix est valable jusqu’au ${when}.`,
  allPackages: 'Tous les forfaits',
  choose: 'Comment voulez-vous payer ?',
  ways: {
    stripe: {
      label: 'Par carte',
      text: 'Vous payez tout de suite sur une page de Stripe, notre prestataire de paiement, et pouvez commencer juste après.',
    },
    invoice: {
      label: 'Sur facture',
      text: 'Vous recevez une facture en PDF. Vous pouvez commencer quand l’argent est arrivé.',
    },
  },
  payCard: (amount) => `Payer ${amount} par carte`,
  opening: 'Ouverture du paiement…',
  getInvoice: (amount) => `Recevoir une facture de ${amount}`,
  writing: 'Préparation de la facture…',
  failed: 'Le paiement n’a pas pu être ouvert. Rien n’a été débité. Veuillez réessayer dans un instant.',
  changed: 'La situation a changé entre-temps. La page montre où les choses en sont.',
  billing: 'À qui adresser la facture ?',
  fields: {
    name: 'Votre nom',
    company: 'Entreprise',
    street: 'Rue et numéro',
    postal_code: 'Code postal',
    city: 'Ville',
    region: 'État ou région',
    country: 'Pays',
    vat_id: 'Numéro de TVA',
    email: 'Adresse e-mail',
  },
  optional: 'facultatif',
  emailHint: 'La facture et le reçu y sont envoyés.',
  chooseCountry: 'Veuillez choisir',
  blank: 'Veuillez remplir ce champ.',
  wrong: {
    name: letters,
    company: letters,
    street: letters,
    postal_code: 'Ce n’est pas un code postal.',
    city: letters,
    region: letters,
    country: 'Veuillez choisir un pays.',
    vat_id: 'Ce n’est pas un numéro de TVA : il a de 4 à 20 lettres et chiffres.',
    email: 'Ce n’est pas une adresse e-mail.',
  },
  openCard: (amount, until) => `Un paiement de ${amount} est ouvert jusqu’au ${until}. Rien n’a encore été débité.`,
  goOn: 'Continuer vers le paiement',
  otherWay: 'Payer autrement',
  leaving: 'Fermeture…',
  openInvoice: (number, amount, until) =>
    `La facture ${number} de ${amount} est à payer jusqu’au ${until}. Dès que l’argent est arrivé, cette page le montre et vous pouvez commencer. Vous pouvez la fermer entre-temps.`,
  creditNote: (number) => `Télécharger l’avoir ${number}`,
  download: 'Télécharger la facture',
  expired: 'La page de paiement s’est fermée sans paiement. Rien n’a été débité.',
  cancelledInvoice: (number) => `La facture ${number} a été annulée. Ne la payez plus.`,
  calledOff: 'La page de paiement a été fermée. Rien n’a été débité.',
  paid: (amount, when) => `Payé : ${amount} le ${when}. Merci.`,
  refundDue: (amount) => `Votre paiement de ${amount} va vous être remboursé.`,
  refunded: (amount) =>
    `Votre paiement de ${amount} vous a été remboursé. Selon votre banque, cela prend quelques jours.`,
  because: {
    partner_pays: (partner) => `${partner} paie la migration.`,
    paid_twice: 'Elle avait déjà été payée.',
  },
  waitingTitle: 'En attente de votre paiement',
  waiting:
    'Merci. Nous attendons la confirmation du paiement. Cela prend d’habitude quelques secondes, et cette page continue toute seule.',
  waitingLong:
    'Vous pouvez fermer cette fenêtre : rien n’est perdu, et vous pouvez revenir à tout moment. Certaines banques prennent quelques jours.',
  backToFull: 'Retour',
  acceptedAll: (partner) => `${partner} paie les migrations complètes de ses clients. Cela ne vous coûte rien.`,
  acceptedUpTo: (partner, limit, records) =>
    `${partner} paie jusqu’à ${limit} enregistrements, et votre plan en a ${records}. Cela ne vous coûte rien.`,
  rejectedAll: (partner) => `Les clients ${of(partner)} paient eux-mêmes la migration complète.`,
  rejectedBudget: (partner) =>
    `Le budget ${of(partner)} pour ce mois ne suffit plus pour votre migration. Vous pouvez l’acheter vous-même.`,
  rejectedUpTo: (partner, limit, records) =>
    `${partner} paie jusqu’à ${limit} enregistrements. Votre plan en a ${records}. Vous pouvez acheter la migration, ou exclure des enregistrements et regarder de nouveau.`,
  askUpTo: (partner, limit, records) =>
    `${partner} paie d’office jusqu’à ${limit} enregistrements. Votre plan en a ${records} : ${partner} décide donc.`,
  partnerPage: (partner) => `Les informations ${of(partner)} sur les migrations complètes`,
  askAndGo: (partner) => `Ensuite s’ouvre la page ${of(partner)} sur les migrations complètes.`,
  more: {
    heading: 'Plus d’enregistrements que le nombre payé',
    copied: (moved, covered) => `${moved} enregistrements ont été copiés. Le paiement en couvre ${covered}.`,
    copiedOf: (moved, counted, covered) =>
      `${moved} enregistrements sur ${counted} ont été copiés. Le paiement en couvre ${covered}.`,
    safe: 'Tout ce qui est déjà copié est en sécurité. La migration continue dès que le reste est payé.',
    ask: (partner) => `Demander à ${partner} de payer le reste`,
    asking: 'Demande en cours…',
    asked: (partner) => `Le paiement du reste a été demandé à ${partner}.`,
    finish: (covered) => `Terminer avec ${covered} enregistrements`,
    finishing: 'Reprise…',
    pay: 'Payer le reste',
    note: 'La migration continue dès que ceci est payé.',
  },
}
