import type { UploadProblem } from '../contract/upload-contract.ts'
import { officeDocument } from './list-files.ts'

const signatures: readonly [string, string][] = [
  ['255044462d', 'a PDF'],
  ['1f8b08', 'a gzip archive'],
  ['377abcaf271c', 'a 7z archive'],
  ['526172211a07', 'a RAR archive'],
  ['89504e470d0a', 'an image'],
  ['ffd8ff', 'an image'],
]
const oldOffice = 'd0cf11e0a1b11ae1'

/** Why the beginning of a file cannot belong to a table; null if it can. */
export function recognizeFile(file: string, head: Buffer): UploadProblem | null {
  const start = head.subarray(0, 8).toString('hex')
  if (start === oldOffice) return officeDocument(file)
  const known = signatures.find(([signature]) => start.startsWith(signature))
  const what = known ? known[1] : isBinary(head) ? 'no text' : null
  if (what === null) return null
  const fix = 'Export your data as CSV and upload the CSV file, or a zip of several.'
  return { file, code: 'not_csv', message: `This is ${what}, and not a CSV file.`, fix }
}

/** Some programs write single NULs. Text has hardly any other control characters. */
function isBinary(head: Buffer): boolean {
  let nuls = 0
  let controls = 0
  for (const byte of head) {
    if (byte === 0) nuls += 1
    else if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) controls += 1
  }
  return nuls > head.length * 0.2 || controls > head.length * 0.05
}
