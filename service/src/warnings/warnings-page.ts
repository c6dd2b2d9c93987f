import { engineWarnings, fieldWarnings, skippedKinds, sourceWarnings, textLosses, writeLosses } from './codes.ts'

/** The tables of docs/warnings.md, by heading. */
export function warningTables(): Record<string, [code: string, words: string][]> {
  return {
    'From the source': Object.entries(sourceWarnings),
    'From the run': Object.entries(engineWarnings),
    'From the conversion of texts': Object.entries(textLosses).map(([loss, words]) => [`text_${loss}`, words]),
    'From the destination': Object.entries(writeLosses).map(([loss, words]) => [`lost:${loss}`, words]),
    'Skipped on purpose': Object.entries(skippedKinds).map(([kind, [, words]]) => [`skipped:${kind}`, words]),
    'About a field': Object.entries(fieldWarnings).map(([kind, words]) => [`${kind}:<field>`, words('<field>')]),
  }
}
