/** The languages in which customers are addressed. */
export const languages = ['en', 'de', 'es', 'fr'] as const

export type Language = (typeof languages)[number]

/** Locales for dates and numbers in mails and invoices. */
export const localeOf: Record<Language, string> = { en: 'en-GB', de: 'de-DE', es: 'es-ES', fr: 'fr-FR' }
