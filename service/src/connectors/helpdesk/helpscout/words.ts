import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: {
    username: {
      label: 'App ID',
      hint: 'In Help Scout: your profile, My Apps, Create App. Any redirection address will do. Your user must be allowed to access the API and all inboxes.',
    },
    token: { label: 'App Secret', hint: 'It stands below the App ID.' },
    docs_api_key: {
      label: 'Docs API key (optional)',
      hint: 'Only to copy articles of Help Scout Docs. In your profile: Authentication, API Keys. Leave it empty if you have no Docs.',
    },
  },
  de: {
    username: {
      label: 'App ID',
      hint: 'In Help Scout: Ihr Profil, My Apps, Create App. Jede Weiterleitungsadresse genügt. Ihr Benutzer braucht Zugriff auf die API und auf alle Postfächer.',
    },
    token: { label: 'App Secret', hint: 'Es steht unter der App ID.' },
    docs_api_key: {
      label: 'Docs-API-Schlüssel (freiwillig)',
      hint: 'Nur um Artikel aus Help Scout Docs zu kopieren. In Ihrem Profil: Authentication, API Keys. Lassen Sie das Feld leer, wenn Sie Docs nicht nutzen.',
    },
  },
  fr: {
    username: {
      label: 'App ID',
      hint: 'Dans Help Scout : votre profil, My Apps, Create App. N’importe quelle adresse de redirection convient. Votre utilisateur doit avoir accès à l’API et à toutes les boîtes.',
    },
    token: { label: 'App Secret', hint: 'Il se trouve sous l’App ID.' },
    docs_api_key: {
      label: 'Clé API de Docs (facultative)',
      hint: 'Seulement pour copier les articles de Help Scout Docs. Dans votre profil : Authentication, API Keys. Laissez le champ vide si vous n’utilisez pas Docs.',
    },
  },
  es: {
    username: {
      label: 'App ID',
      hint: 'En Help Scout: su perfil, My Apps, Create App. Sirve cualquier dirección de redirección. Su usuario necesita acceso a la API y a todos los buzones.',
    },
    token: { label: 'App Secret', hint: 'Está debajo del App ID.' },
    docs_api_key: {
      label: 'Clave API de Docs (opcional)',
      hint: 'Solo para copiar los artículos de Help Scout Docs. En su perfil: Authentication, API Keys. Deje el campo vacío si no usa Docs.',
    },
  },
}
