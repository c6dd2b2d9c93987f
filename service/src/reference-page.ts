/** The page that shows the API to people, and the script of that page. */
export interface ReferencePage {
  html: string
  script: Uint8Array
}

export const referencePath = '/docs'
export const referenceScriptPath = `${referencePath}/js/scalar.js`
