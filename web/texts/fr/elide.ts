/** The French "of" before a name: « de Harbour », « d’Acme ». */
export const of = (name: string) => (/^[aeiouàâäéèêëîïôöùûü]/i.test(name) ? `d’${name}` : `de ${name}`)
