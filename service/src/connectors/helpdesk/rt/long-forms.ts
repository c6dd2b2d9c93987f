import { runBeside } from '../../../threads/run-beside.ts'
import * as comment from './comment-form.ts'
import * as ticket from './ticket-form.ts'

// The same functions, beside the event loop for long texts.

export const commentForms = runBeside(new URL('./comment-form.ts', import.meta.url).href, comment)
export const ticketForms = runBeside(new URL('./ticket-form.ts', import.meta.url).href, ticket)
