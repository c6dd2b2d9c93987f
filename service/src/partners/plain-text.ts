import { OperatorError } from '../errors.ts'

/** Requires one line of text, so that lists stay readable. */
export function requirePlainText(option: string, text: string, maxLength: number): void {
  if (text === '' || [...text].length > maxLength || /\p{Cc}/u.test(text)) {
    throw new OperatorError(`${option} must have 1 to ${maxLength} characters, in one line.`)
  }
}
